"""Forms posted without scripts: what is read, and what is refused with which status."""

import asyncio
from urllib.parse import urlencode

import pytest
from starlette.requests import HTTPConnection, Request
from starlette.types import Message

from sitekit.server.http import form_posts
from sitekit.server.http.form_posts import FormRejected, client_address, read_form

HEADERS = [(b"content-type", b"application/x-www-form-urlencoded")]


def test_a_slow_dripping_body_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_posts, "BODY_TIMEOUT", 0.1)

    async def one_byte_at_a_time() -> Message:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"a", "more_body": True}

    request = Request({"type": "http", "method": "POST", "headers": HEADERS}, one_byte_at_a_time)
    with pytest.raises(FormRejected) as refused:
        asyncio.run(read_form(request, 0))
    assert refused.value.status == 408


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//[x]", "http://a]:1", "http://[v1.", "null", ""])
def test_a_form_from_an_address_that_is_none_is_refused(origin: str) -> None:
    headers = [*HEADERS, (b"host", b"firm.example"), (b"origin", origin.encode())]
    with pytest.raises(FormRejected) as refused:
        asyncio.run(read_form(Request({"type": "http", "method": "POST", "headers": headers}), 0))
    assert refused.value.status == 403


@pytest.mark.spec("ROLE-4")
def test_a_header_that_a_proxy_adds_to_the_visitors_is_counted() -> None:
    headers = [(b"x-forwarded-for", b"9.9.9.9"), (b"x-forwarded-for", b"203.0.113.5:4711")]
    connection = HTTPConnection({"type": "http", "headers": headers, "client": ("198.51.100.1", 1)})
    assert client_address(connection, 1) == "203.0.113.5:4711"


@pytest.mark.spec("ROLE-4")
@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "9.9.9.9", "198.51.100.1"),
        (1, "9.9.9.9, 203.0.113.5", "203.0.113.5"),
        (2, "9.9.9.9, 203.0.113.5, 192.0.2.1", "203.0.113.5"),
        (2, "9.9.9.9", "198.51.100.1"),
    ],
)
def test_a_visitor_cannot_forge_the_counted_client_address(proxies: int, forwarded: str, address: str) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())]
    connection = HTTPConnection({"type": "http", "headers": headers, "client": ("198.51.100.1", 1)})
    assert client_address(connection, proxies) == address


@pytest.mark.spec("CON-4")
@pytest.mark.parametrize("sign", ["\U0001f680", "\n", '"', "文"])
def test_a_message_of_five_thousand_characters_in_any_script_is_read(sign: str) -> None:
    fields = {"message": sign * 5_000, "company": sign * 200, "firstName": sign * 100, "lastName": sign * 100}
    body = urlencode(fields).encode()

    async def whole() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    request = Request({"type": "http", "method": "POST", "headers": HEADERS}, whole)
    assert asyncio.run(read_form(request, 0)).fields == fields
