"""The words of the page, typed: Flask-Babel's own functions are not."""

from __future__ import annotations

import flask_babel


def gettext(text: str, **values: object) -> str:
    """`text` in the language of the request, its named places (`%(name)s`) filled in."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, many: str, num: int, **values: object) -> str:
    """`one` or `many` by `num`, in the language of the request; `%(num)s` and other named places are filled in."""
    return str(flask_babel.ngettext(one, many, num, **values))
