"""Photos are kept to measure with, beside what was made of them."""

import sqlalchemy as sa
from alembic import op

revision = "005"
down_revision = "004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go from the revision before to this one."""
    op.create_table(
        "example",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("deck", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=48), nullable=False),
        sa.Column("source", sa.String(length=96), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.Column("coco", sa.JSON(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_example"),
        sa.UniqueConstraint("key", name="uq_example_key"),
    )
    op.create_table(
        "example_answer",
        sa.Column("example_id", sa.String(length=16), nullable=False),
        sa.Column("weights", sa.String(length=16), nullable=False),
        sa.Column("how", sa.String(length=8), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("judged", sa.JSON(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["example_id"], ["example.id"], name="fk_example_answer_example_id_example", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("example_id", "weights", "how", name="pk_example_answer"),
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_table("example_answer")
    op.drop_table("example")
