@echo off
rem A double click on Windows: set up once, then open the page in the browser.
setlocal
chcp 65001 >nul
set PYTHONUTF8=1
cd /d "%~dp0"
if not exist ".venv\Scripts\paiyan.exe" goto install
fc /b pyproject.toml ".venv\installed.toml" >nul 2>nul && goto open

:install
set PYTHON=
for %%P in ("py -3" "python" "python3") do (
    if not defined PYTHON (
        %%~P -c "import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul && set "PYTHON=%%~P"
    )
)
if not defined PYTHON (
    echo paiyan needs Python 3.11 or newer: install it from python.org, then open this file again.
    pause
    exit /b 2
)
echo Setting paiyan up (once, a minute or two^) ...
if not exist ".venv\Scripts\python.exe" %PYTHON% -m venv .venv || goto failed
".venv\Scripts\python.exe" -m pip install -qq --disable-pip-version-check -c constraints.txt -e . || goto failed
copy /y pyproject.toml ".venv\installed.toml" >nul

:open
".venv\Scripts\paiyan.exe" serve --open %*
pause
exit /b

:failed
echo It could not be set up; what is wrong stands above. Open this file again once it is mended.
pause
exit /b 2
