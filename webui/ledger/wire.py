"""Changes as JSON and back, as they stand in the database and in exported files."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import cast

from webui.ledger import money
from webui.ledger.changes import (
    DEALER_RULES,
    HOWS,
    MAX_PEOPLE,
    Change,
    Counted,
    Created,
    Crop,
    DealerSet,
    Json,
    OptionChanged,
    PlayerAway,
    PlayerJoined,
    PlayerRenamed,
    PlayerReplaced,
    Redone,
    Round,
    RoundAdded,
    RoundDeleted,
    RoundEdited,
    Seating,
    SeatsTaken,
    Settings,
    Undone,
)
from webui.ledger.errors import BadField, UnknownField, UnknownKind

KINDS: Mapping[type, str] = {
    Created: "created",
    RoundAdded: "round_added",
    RoundEdited: "round_edited",
    RoundDeleted: "round_deleted",
    DealerSet: "dealer_set",
    PlayerRenamed: "player_renamed",
    PlayerJoined: "player_joined",
    PlayerReplaced: "player_replaced",
    SeatsTaken: "seats_taken",
    PlayerAway: "player_away",
    OptionChanged: "option_changed",
    Undone: "undone",
    Redone: "redone",
}


# Fields that came later: a log that was written before lacks them.
LATER: Mapping[str, Json] = {"drawer": None}


def kind_of(change: Change) -> str:
    """Name of a change as it stands in the log."""
    return KINDS[type(change)]


def body_of(change: Change) -> dict[str, Json]:
    """A change as a JSON object, without its kind."""
    return cast("dict[str, Json]", _plain(change))


def _plain(value: object) -> Json:
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Decimal):
        return money.written(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return cast("Json", value)


def change_of(kind: str, body: object) -> Change:
    """Read a change from its kind and its JSON object.

    Raises
    ------
    UnknownKind, UnknownField, BadField
        Nothing is guessed: a field too many is refused like one too few, those of `LATER` aside.
    """
    for cls, name in KINDS.items():
        if name == kind:
            return cast("Change", _read(cls, body))
    raise UnknownKind({"kind": kind[:40]})


def _read(cls: type, body: object) -> object:
    """Build a frozen dataclass of this module from a JSON object, field by field."""
    if not isinstance(body, Mapping):
        raise BadField({"field": cls.__name__.lower()})
    names = cls.__dataclass_fields__  # type: ignore[attr-defined]
    for name in body:
        if name not in names:
            raise UnknownField({"field": str(name)[:40]})
    values = {}
    for name in names:
        if name not in body and name not in LATER:
            raise BadField({"field": name})
        values[name] = _value(name, body[name] if name in body else LATER[name])
    return cls(**values)


def _value(name: str, value: object) -> object:
    read = READERS[name](value)
    if read is _BAD:
        raise BadField({"field": name})
    return read


_BAD = object()


def _integer(value: object) -> object:
    return value if type(value) is int and abs(value) <= 2**53 else _BAD


def _maybe_integer(value: object) -> object:
    return None if value is None else _integer(value)


def _integers(value: object) -> object:
    if not isinstance(value, list | tuple) or len(value) > MAX_PEOPLE:
        return _BAD
    return tuple(value) if all(_integer(part) is not _BAD for part in value) else _BAD


def _money(value: object) -> object:
    """An amount: whole as a number, with places as a text, so that no reader makes it inexact."""
    if not isinstance(value, str):
        return _integer(value)
    try:
        return money.read(value)
    except ValueError:
        return _BAD


def _moneys(value: object) -> object:
    if not isinstance(value, list | tuple) or len(value) > MAX_PEOPLE:
        return _BAD
    read = tuple(_money(part) for part in value)
    return _BAD if _BAD in read else read


def _text(value: object) -> object:
    return value if isinstance(value, str) and len(value) <= 4000 else _BAD


def _texts(value: object) -> object:
    if not isinstance(value, list | tuple) or len(value) > MAX_PEOPLE:
        return _BAD
    return tuple(value) if all(_text(part) is not _BAD for part in value) else _BAD


def _boolean(value: object) -> object:
    return value if isinstance(value, bool) else _BAD


def _mapping(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) and all(isinstance(key, str) for key in value) else _BAD


def _how(value: object) -> object:
    return value if value in HOWS else _BAD


def _dealer_rule(value: object) -> object:
    return value if value in DEALER_RULES else _BAD


def _sha256(value: object) -> object:
    good = (
        isinstance(value, str) and len(value) == 64 and all(letter in "0123456789abcdef" for letter in value)
    )
    return value if good else _BAD


def _crops(value: object) -> object:
    return tuple(_read(Crop, part) for part in value) if isinstance(value, list | tuple) else _BAD


# How each field is read, by its name.
READERS: Mapping[str, Callable[[object], object]] = {
    "rules": _text,
    "name": _text,
    "note": _text,
    "hand": _text,
    "code": _text,
    "sha256": _sha256,
    "people": _texts,
    "stake": _money,
    "seats": _integer,
    "id": _integer,
    "seq": _integer,
    "person": _integer,
    "away": _boolean,
    "dealer": _maybe_integer,
    "sitter": _maybe_integer,
    "winner": _maybe_integer,
    "last": _maybe_integer,
    "drawer": _maybe_integer,
    "out": _integers,
    "order": _integers,
    "amounts": _moneys,
    "options": _mapping,
    "facts": _mapping,
    "score": _mapping,
    "crops": _crops,
    "how": _how,
    "dealer_rule": _dealer_rule,
    "settings": lambda value: _read(Settings, value),
    "seating": lambda value: _read(Seating, value),
    "round": lambda value: _read(Round, value),
    "counted": lambda value: None if value is None else _read(Counted, value),
}
