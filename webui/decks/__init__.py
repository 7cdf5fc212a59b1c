"""The room of physical decks: photos become a catalogue, a saved catalogue teaches its print.

`room` has the blueprint, `looking` reads and counts photos before anything is kept, `keeping` saves and shows,
`adding` extends, `sent` is what these two are sent, `learning` takes what players put right, `files` exports,
`counting` puts photos together, `prints` teaches, `contact` draws the contact sheet, `paper` prints cards and sheets.
The album: `album` is what is noted of a deck, `collecting` its pages, `comparing` two decks side by side, `album_files`
takes it along.
"""

from webui.decks import adding, album_files, collecting, comparing, files, keeping, learning, looking, paper
from webui.decks.room import blueprint

__all__ = [
    "adding",
    "album_files",
    "blueprint",
    "collecting",
    "comparing",
    "files",
    "keeping",
    "learning",
    "looking",
    "paper",
]
