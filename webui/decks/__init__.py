"""The room of physical decks: photos become a catalogue, a saved catalogue teaches its print.

`room` has the blueprint, `looking` reads and counts photos before anything is kept, `keeping` saves and
shows, `learning` takes what players put right, `files` exports, `counting` puts photos together, `prints` teaches,
`contact` draws the contact sheet.
"""

from webui.decks import files, keeping, learning, looking
from webui.decks.room import blueprint

__all__ = ["blueprint", "files", "keeping", "learning", "looking"]
