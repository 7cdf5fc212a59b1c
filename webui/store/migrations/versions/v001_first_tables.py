"""The first tables: game tables with their events and crops, catalogued decks."""

import sqlalchemy as sa
from alembic import op

revision = "001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "game_table",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game_table"),
    )
    op.create_index("ix_game_table_changed_ms", "game_table", ["changed_ms"])
    op.create_table(
        "event",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("asked", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        _belongs_to("event", "table_id", "game_table"),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_event"),
        sa.UniqueConstraint("key", name="uq_event_key"),
    )
    op.create_table(
        "round_crop",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        _belongs_to("round_crop", "table_id", "game_table"),
        sa.PrimaryKeyConstraint("table_id", "sha256", name="pk_round_crop"),
    )
    _make_decks()


def _make_decks() -> None:
    op.create_table(
        "deck",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("deck", sa.String(16), nullable=False),
        sa.Column("composition", sa.String(32), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("taught", sa.Boolean(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deck"),
        sa.UniqueConstraint("key", name="uq_deck_key"),
        sa.UniqueConstraint("name", name="uq_deck_name"),
    )
    op.create_table(
        "deck_card",
        sa.Column("deck_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("photo", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=True),
        _belongs_to("deck_card", "deck_id", "deck"),
        sa.PrimaryKeyConstraint("deck_id", "number", name="pk_deck_card"),
    )
    op.create_table(
        "deck_photo",
        sa.Column("deck_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("relation", sa.String(8), nullable=False),
        sa.Column("foreign_cards", sa.Integer(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=True),
        _belongs_to("deck_photo", "deck_id", "deck"),
        sa.PrimaryKeyConstraint("deck_id", "number", name="pk_deck_photo"),
    )


def _belongs_to(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{other}.id"], name=f"fk_{table}_{column}_{other}", ondelete="CASCADE"
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("deck_photo", "deck_card", "deck", "round_crop", "event", "game_table"):
        op.drop_table(table)
