"""Photos of a deck keep the key of the request that brought them."""

import sqlalchemy as sa
from alembic import op

revision = "002"
down_revision = "001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go from the revision before to this one."""
    op.add_column("deck_photo", sa.Column("key", sa.String(64), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_column("deck_photo", "key")
