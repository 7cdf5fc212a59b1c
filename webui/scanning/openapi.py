"""The description of `/api` for programs (OpenAPI 3.1), served beside it: what is asked, what is answered."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

import scorer

Schema = dict[str, Any]

blueprint = Blueprint("openapi", __name__)

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TEXTS: Schema = {"type": "array", "items": TEXT}
VALUE: Schema = {"type": ["boolean", "integer", "string", "null"]}
QUAD: Schema = {"type": "array", "items": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}}


def an_object(required: dict[str, Schema], **more: Schema) -> Schema:
    """An object with these keys, and `more` that may be missing."""
    return {"type": "object", "required": list(required), "properties": required | more}


def a_list(of: Schema, most: int | None = None) -> Schema:
    """A list."""
    return {"type": "array", "items": of} | ({} if most is None else {"maxItems": most})


def named(name: str) -> Schema:
    """What stands under a name below."""
    return {"$ref": f"#/components/schemas/{name}"}


def _schemas(most_piles: int, most_cards: int, most_letters: int) -> dict[str, Schema]:
    end = an_object({"quad": QUAD, "score": NUMBER})
    rules: Schema = {"type": "string", "enum": list(scorer.rule_ids())}
    said: dict[str, Schema] = {"facts": {"type": "object", "additionalProperties": VALUE}}
    said |= {"options": {"type": "object", "additionalProperties": VALUE}}
    card = {
        "code": TEXT,
        "name": TEXT,
        "confidence": NUMBER,
        "review": {"type": "boolean"},
        "alternatives": a_list({"type": "array"}),
        "ends": a_list(end),
        "pile": WHOLE,
    }
    reading = {
        "file": TEXT,
        "width": WHOLE,
        "height": WHOLE,
        "deck": {"type": ["string", "null"]},
        "cards": a_list(an_object(card)),
        "others": a_list(end),
        "warnings": TEXTS,
        "timing_ms": {"type": "object", "additionalProperties": NUMBER},
    }
    score = {
        "rules": TEXT,
        "wins": {"type": "boolean"},
        "fault": {"type": "boolean"},
        "total": WHOLE,
        "unit": TEXT,
        "lines": a_list(
            an_object({"name": TEXT, "points": WHOLE, "times": WHOLE, "cards": TEXTS, "clause": TEXT})
        ),
        "melds": a_list(an_object({"kind": TEXT, "cards": TEXTS, "shown": {"type": "boolean"}})),
        "warnings": TEXTS,
        "hand": TEXT,
    }
    waits = {"code": TEXT, "name": TEXT, "score": WHOLE}
    pile = an_object(
        {"cards": a_list(TEXT, most_cards)}, table={"type": "boolean"}, kind={"type": ["string", "null"]}
    )
    question: dict[str, Schema] = {"rules": rules, "hand": {"type": "string", "maxLength": most_letters}}
    return {
        "Error": an_object({"error": an_object({"code": TEXT, "message": TEXT})}),
        "Question": an_object(question, **said),
        "Piles": an_object(
            {"rules": rules, "piles": a_list(pile, most_piles)}, winning={"type": ["string", "null"]}, **said
        ),
        "Readings": an_object({"photos": a_list({"type": "object"})}),
        "Reading": an_object(reading),
        "Score": an_object(score),
        "Waits": an_object(
            {"rules": TEXT, "hand": TEXT, "waits": a_list(an_object(waits)), "warnings": TEXTS}
        ),
        "Dealt": {"type": "object"},
        "Hand": an_object({"kinds": a_list(TEXTS), "hand": {"type": ["string", "null"]}}),
    }


def _answers(name: str, *refusals: int) -> dict[str, Schema]:
    """Status 200 with an object of this name, and what else may come."""
    good = {"description": "the answer", "content": {"application/json": {"schema": named(name)}}}
    bad = {"description": "a sentence", "content": {"application/json": {"schema": named("Error")}}}
    return {"200": good} | {str(status): bad for status in refusals}


def _asked(text: str, sent: Schema, answer: str) -> Schema:
    body = {"required": True, "content": {"application/json": {"schema": sent}}}
    return {"post": {"summary": text, "requestBody": body, "responses": _answers(answer, 400, 413, 415, 422)}}


def _photo(text: str, sent: Schema, answers: dict[str, Schema]) -> Schema:
    body = {"required": True, "content": {"multipart/form-data": {"schema": sent}}}
    return {"post": {"summary": text, "requestBody": body, "responses": answers}}


def description() -> Schema:
    """The whole description."""
    from webui.scanning import api

    file: Schema = {"type": "string", "format": "binary"}
    refused = (400, 413, 415, 422, 429, 503)
    picture = _answers("Error", *refused) | {
        "200": {"description": "the picture", "content": {"image/jpeg": {"schema": file}}}
    }
    read = an_object({"photo": a_list(file, api.MAX_PHOTOS)}, deck=TEXT, taught=TEXT, same=TEXT)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "paiyan",
            "version": "1",
            "description": "Photos to cards, hands to scores",
        },
        "paths": {
            "/api/read": _photo("Photos to cards", read, _answers("Readings", *refused)),
            "/api/picture": _photo("A photo as an upright JPEG", an_object({"photo": file}), picture),
            "/api/score": _asked("Count a hand", named("Question"), "Score"),
            "/api/waits": _asked("The cards that complete a hand", named("Question"), "Waits"),
            "/api/before-play": _asked("May a dealt hand play", named("Question"), "Dealt"),
            "/api/hand": _asked("Piles to a hand and its count", named("Piles"), "Hand"),
        },
        "components": {"schemas": _schemas(api.MAX_PILES, api.MAX_PILE_CARDS, api.MAX_HAND_CHARACTERS)},
    }


@blueprint.get("/api/openapi.json")
def openapi() -> Response:
    """The description, as JSON."""
    return jsonify(description())
