"""What the page says and in which language."""
