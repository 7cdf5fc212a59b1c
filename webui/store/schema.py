"""The tables of the database. Times are milliseconds since 1970 in UTC, pictures are JPEG bytes without EXIF."""

from sqlalchemy import JSON, BigInteger, ForeignKey, LargeBinary, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

KEY_LETTERS = 64
ID_LETTERS = 16
HASH_LETTERS = 64


class Row(DeclarativeBase):
    """Every row of the database; constraints have names, so that migrations can change them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class TableRow(Row):
    """A game table; `version` is the number of its last event."""

    __tablename__ = "game_table"

    id: Mapped[str] = mapped_column(String(ID_LETTERS), primary_key=True)
    version: Mapped[int]
    created_ms: Mapped[int] = mapped_column(BigInteger)
    changed_ms: Mapped[int] = mapped_column(BigInteger, index=True)


class EventRow(Row):
    """One event of a table's log; never changed, only added.

    `key` comes from the client and is unique over all tables, `asked` is the SHA-256 of what the client asked for:
    the same key with the same request is a repetition and adds nothing, with another request it is refused.
    """

    __tablename__ = "event"

    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(String(KEY_LETTERS), unique=True)
    asked: Mapped[str] = mapped_column(String(HASH_LETTERS))
    kind: Mapped[str] = mapped_column(String(32))
    body: Mapped[object] = mapped_column(JSON)
    at_ms: Mapped[int] = mapped_column(BigInteger)


class RoundCropRow(Row):
    """A picture of one card of a scored hand that the user kept."""

    __tablename__ = "round_crop"

    table_id: Mapped[str] = mapped_column(ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(HASH_LETTERS), primary_key=True)
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)


class DeckRow(Row):
    """A catalogued physical deck; `version` counts its changes, `key` is the client's, unique like an event's."""

    __tablename__ = "deck"

    id: Mapped[str] = mapped_column(String(ID_LETTERS), primary_key=True)
    key: Mapped[str] = mapped_column(String(KEY_LETTERS), unique=True)
    name: Mapped[str] = mapped_column(String(48), unique=True)
    deck: Mapped[str] = mapped_column(String(16))
    composition: Mapped[str | None] = mapped_column(String(32))
    version: Mapped[int]
    taught: Mapped[bool]
    created_ms: Mapped[int] = mapped_column(BigInteger)
    changed_ms: Mapped[int] = mapped_column(BigInteger)


class DeckCardRow(Row):
    """One card of a catalogue: which photo showed it, whether it counts, its picture."""

    __tablename__ = "deck_card"

    deck_id: Mapped[str] = mapped_column(ForeignKey("deck.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    photo: Mapped[int]
    code: Mapped[str] = mapped_column(String(16))
    counts: Mapped[bool]
    jpeg: Mapped[bytes | None] = mapped_column(LargeBinary)


class DeckPhotoRow(Row):
    """One photo of a catalogue: how it relates to the ones before, and itself where the user kept it.

    `key` is the client's, the same for all photos of one request, `look` what the photo is known again by
    (`webui.scanning.pictures.look`); None in catalogues older than these.
    """

    __tablename__ = "deck_photo"

    deck_id: Mapped[str] = mapped_column(ForeignKey("deck.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    relation: Mapped[str] = mapped_column(String(8))
    foreign_cards: Mapped[int]
    jpeg: Mapped[bytes | None] = mapped_column(LargeBinary)
    key: Mapped[str | None] = mapped_column(String(KEY_LETTERS))
    look: Mapped[str | None] = mapped_column(String(HASH_LETTERS))


class DeckNoteRow(Row):
    """One thing that a collector notes of a deck: its maker, where it is kept …"""

    __tablename__ = "deck_note"

    deck_id: Mapped[str] = mapped_column(ForeignKey("deck.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class DeckPictureRow(Row):
    """A picture of a deck's back or box."""

    __tablename__ = "deck_picture"

    deck_id: Mapped[str] = mapped_column(ForeignKey("deck.id", ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(String(8), primary_key=True)
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)


class PairedRow(Row):
    """A device that was let in: what it says it is, when it came, and when it was last there."""

    __tablename__ = "paired"

    id: Mapped[str] = mapped_column(String(ID_LETTERS), primary_key=True)
    name: Mapped[str] = mapped_column(String(48))
    paired_ms: Mapped[int] = mapped_column(BigInteger)
    seen_ms: Mapped[int] = mapped_column(BigInteger)


HOUSEHOLD_MARKS = ("household", "household_salt")
"""The marks that tell of the people, not of the computer: they go where the kept photos go."""


class MarkRow(Row):
    """Something about the database as a whole: `restored` names the backup that was brought back last, `household` what
    packages of kept photos call whoever gives them, `household_salt` what hides the names of the decks in them."""

    __tablename__ = "mark"

    name: Mapped[str] = mapped_column(String(16), primary_key=True)
    value: Mapped[str] = mapped_column(String(64))


class ExampleRow(Row):
    """A photo that is kept to measure with, and its truth as COCO (`vision.truth`); nothing else is known of it.

    `name` is the deck's own, "" where it has none; `source` is empty for one's own photos and else says where the
    package came from.
    """

    __tablename__ = "example"

    id: Mapped[str] = mapped_column(String(ID_LETTERS), primary_key=True)
    key: Mapped[str] = mapped_column(String(KEY_LETTERS), unique=True)
    deck: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(48))
    source: Mapped[str] = mapped_column(String(96))
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)
    coco: Mapped[object] = mapped_column(JSON)
    created_ms: Mapped[int] = mapped_column(BigInteger)


class ExampleAnswerRow(Row):
    """What one state of the networks (`vision.networks.weights_name`) made of a kept photo, with or without a print.

    `judged` are its cards beside the truth: [true code or null, code, confidence, marked] each; `counts` the figures.
    """

    __tablename__ = "example_answer"

    example_id: Mapped[str] = mapped_column(ForeignKey("example.id", ondelete="CASCADE"), primary_key=True)
    weights: Mapped[str] = mapped_column(String(ID_LETTERS), primary_key=True)
    how: Mapped[str] = mapped_column(String(8), primary_key=True)
    counts: Mapped[object] = mapped_column(JSON)
    judged: Mapped[object] = mapped_column(JSON)
    at_ms: Mapped[int] = mapped_column(BigInteger)
