"""Devices that were let in are remembered, and which backup was brought back last."""

import sqlalchemy as sa
from alembic import op

revision = "004"
down_revision = "003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go from the revision before to this one."""
    op.create_table(
        "paired",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("paired_ms", sa.BigInteger(), nullable=False),
        sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_paired"),
    )
    op.create_table(
        "mark",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_mark"),
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("mark")
    op.drop_table("paired")
