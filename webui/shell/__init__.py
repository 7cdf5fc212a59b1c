"""What makes the page an app: its shell, look, drawn faces, packing and errors."""
