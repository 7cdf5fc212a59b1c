"""The command line, `paiyan` (DESIGN section 3).

Errors end a command with status 2 and one sentence on standard error; with `--json` standard output
holds the error object, so that it is JSON whatever happens.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from webui.commands import counting, kept, measuring, printing, reading, safekeeping, teaching
from webui.commands.terminal import USAGE_STATUS, error_json, prepare_streams, print_json, sentence

ROOMS = ("vision", "models", "scorer", "webui")
INTERRUPTED_STATUS = 130


def main(argv: Sequence[str] | None = None) -> None:
    """Run `paiyan` with the process's own words, or with `argv`, and end the process with its status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        # Where the shell leaves *.jpg as it is (Windows), click looks up what is meant: in the process's own words.
        if argv is None:
            prepare_streams()
        status = cli.main(None if argv is None else words, prog_name="paiyan", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.NoArgsIsHelpError as help_:
        click.echo(help_.ctx.get_help() if help_.ctx else "")
        sys.exit(USAGE_STATUS)
    except click.ClickException as error:
        _fail("usage", error.format_message(), words)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED_STATUS)
    except OSError as error:
        _fail_by_system(error)
    except ValueError as error:
        if type(error).__module__.partition(".")[0] not in ROOMS:
            raise
        _fail(getattr(error, "code", "unusable"), str(error), words)


def _fail_by_system(error: OSError) -> None:
    """A full disk, a folder that is a file, a device that is gone: named as the system names it."""
    with suppress(OSError):  # what is still to be written would fail once more at the end of the process
        sys.stdout.close()
    place = f"{error.filename}: " if error.filename else ""
    _fail("system", f"{place}{error.strerror or error}", [])


def _fail(code: str, message: str, words: Sequence[str]) -> None:
    if "--json" in words:
        print_json(error_json(code, sentence(message)))
    click.echo(f"paiyan: {sentence(message)}", err=True)
    sys.exit(USAGE_STATUS)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="paiyan", message="paiyan %(version)s")
def cli() -> None:
    """Read Chinese long cards (川牌, 四色牌, 字牌) from photos, and count them."""


@cli.command()
@click.option("--host", metavar="H", help="Address to listen on; by default only this computer is answered.")
@click.option(
    "--port", metavar="P", type=click.IntRange(0, 65534), help="By default the first free one from 8765."
)
@click.option(
    "--lan", is_flag=True, help="Let phones in the same network in, with a QR code and a pairing code."
)
@click.option("--https", is_flag=True, help="HTTPS with a certificate of this computer's own, for live view.")
@click.option("--open", "open_page", is_flag=True, help="Show the page in this computer's browser.")
@click.option(
    "--log",
    "log_to",
    metavar="FILE",
    default="",
    help="Write a line of JSON for every request; - prints it.",
)
def serve(host: str | None, port: int | None, lan: bool, https: bool, open_page: bool, log_to: str) -> None:
    """Open the page, here or for phones (--lan)."""
    from webui.access.serve import run

    def say(text: str) -> None:
        click.echo(text)
        sys.stdout.flush()

    run(host, port, lan=lan, https=https, open_page=open_page, say=say, log_to=log_to)


for command in (
    reading.read,
    counting.score,
    counting.waits,
    reading.catalogue,
    teaching.teach,
    measuring.evaluate,
    kept.examples,
    printing.cards,
    printing.sheet,
    safekeeping.backup,
    safekeeping.restore,
    safekeeping.devices,
    counting.rules,
    counting.decks,
):
    cli.add_command(command)

if __name__ == "__main__":
    main()
