"""One module per migration; Alembic finds them here by file."""
