"""A browser that fills in the forms of the games room."""

import base64
import io
import re
from html import unescape

from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

from webui.ledger.money import Money
from webui.store import kept, tables

# RULES E-02: exactly 10, one point from each of the others.
TEN = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC !wC"
# RULES E-03: the same with 碰 on the table: 8, a false call that pays 11 to each.
EIGHT = "碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC !wC"


def page(client: FlaskClient, url: str, status: int = 200) -> str:
    answer = client.get(url)
    assert answer.status_code == status, answer.text
    return answer.text


def fields_of(text: str, action: str = "") -> dict[str, str]:
    """Hidden fields of the form with this action (a part of it), or of the only form."""
    forms = re.findall(r"<form.*?</form>", text, re.DOTALL)
    form = next(one for one in forms if action in one.split(">")[0])
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in hidden}


def send(client: FlaskClient, url: str, values: dict[str, object], seen: str = "") -> TestResponse:
    """Fill in and send the form of a page, as it is there or as it was `seen`."""
    hidden = fields_of(seen or page(client, url), url if seen else "")
    return client.post(url, data={**hidden, **values})


def plain(text: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text)))


def new_table(client: FlaskClient, rules: str = "shihu", names: str = "甲乙丙丁", **more: object) -> str:
    values: dict[str, object] = {f"name-{number}": name for number, name in enumerate(names)}
    answer = send(
        client,
        f"/games/new?rules={rules}",
        {"stake": "1", "dealer": "0", "dealer_rule": "game", **values, **more},
    )
    assert answer.status_code == 303, answer.text
    return answer.location


def add_numbers(client: FlaskClient, table: str, *amounts: object, **more: object) -> TestResponse:
    values = {f"amount-{number}": str(amount) for number, amount in enumerate(amounts) if amount is not None}
    return send(client, f"{table}/rounds/new?how=numbers&way=money", {"dealer": "0", **values, **more})


def totals(client: FlaskClient, table: str) -> list[Money]:
    with client.application.app_context():
        return list(tables.ledger(kept.store(), table.rsplit("/", 1)[1]).totals)


def notice(answer: TestResponse) -> str:
    found = re.search(r'class="notice error"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    assert found, answer.text
    return unescape(re.sub(r"<[^>]+>|\s+", " ", found.group(1))).strip()


def token(client: FlaskClient) -> dict[str, str]:
    found = re.search(r'name="csrf-token" content="([^"]+)"', page(client, "/games"))
    assert found
    return {"X-CSRFToken": found.group(1)}


def change_people(client: FlaskClient, table: str, **values: object) -> TestResponse:
    seen = fields_of(page(client, f"{table}/seats"), f"{table}/people")
    return client.post(f"{table}/people", data={**seen, "person": "", **values})


def picture(colour: str, size: tuple[int, int] = (80, 120), kind: str = "PNG") -> str:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    Image.new("RGB", size, colour).save(out, kind, exif=exif)
    return f"data:image/{kind.lower()};base64," + base64.b64encode(out.getvalue()).decode()


def hand_over(client: FlaskClient, table: str, **more: object) -> TestResponse:
    body = {
        "key": "0123456789",
        "base": 1,
        "rules": "shihu",
        "hand": TEN,
        "facts": {},
        "winner": 1,
        "total": 10,
    }
    return client.post(f"{table}/rounds", json={**body, **more}, headers=token(client))


def evening(client: FlaskClient) -> str:
    """A table with everything in it."""
    table = new_table(client, names="甲乙丙丁戊", stake="2", title='=周末, "好"')
    crops = [{"code": "rK", "image": picture("red")}]
    assert hand_over(client, table, crops=crops, note="+自摸").status_code == 201
    add_numbers(client, table, 4, -4, 0, 0, out="4")
    send(client, f"{table}/rounds/new?how=draw", {"dealer": "1", "last": "2", "out": "0"})
    add_numbers(client, table, 1, -1, 0, 0, out="4")
    send(client, f"{table}/undo", {}, page(client, table))
    change_people(client, table, what="away", person="3")
    return table


def bring(client: FlaskClient, data: bytes, name: str = "x.json", again: bool = True) -> TestResponse:
    values: dict[str, object] = {"file": (io.BytesIO(data), name)} | ({"again": "on"} if again else {})
    return send(client, "/games/import", values)
