"""Decks have what their collector notes of them, pictures of back and box, and know their photos again."""

import sqlalchemy as sa
from alembic import op

revision = "003"
down_revision = "002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go from the revision before to this one."""
    op.create_table(
        "deck_note",
        sa.Column("deck_id", sa.String(16), nullable=False),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deck_id"], ["deck.id"], name="fk_deck_note_deck_id_deck", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("deck_id", "name", name="pk_deck_note"),
    )
    op.create_table(
        "deck_picture",
        sa.Column("deck_id", sa.String(16), nullable=False),
        sa.Column("side", sa.String(8), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deck_id"], ["deck.id"], name="fk_deck_picture_deck_id_deck", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("deck_id", "side", name="pk_deck_picture"),
    )
    op.add_column("deck_photo", sa.Column("look", sa.String(64), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_column("deck_photo", "look")
    op.drop_table("deck_picture")
    op.drop_table("deck_note")
