"""The room of kept photos: measured on, learnt from, given away; nothing is kept that nobody asked for.

`truth` is what a photo is said to show, `keeping` keeps, shows and deletes, `measuring` reads kept photos beside their
truth and teaches, `figures` adds up, `package` is a file of photos to give away, `giving` makes one on the page.
"""

from webui.examples import giving, keeping, measuring
from webui.examples.room import blueprint

__all__ = ["blueprint", "giving", "keeping", "measuring"]
