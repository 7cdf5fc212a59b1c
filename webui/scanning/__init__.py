"""A photo becomes a count: the page that does it, its queue of readings, and the same as JSON."""
