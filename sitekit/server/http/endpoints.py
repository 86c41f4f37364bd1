"""Endpoints other than pages and files: each takes a request and returns a Starlette response."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

Endpoint = Callable[[Request], Awaitable[Response]]

# RFC 9116 recommends less than a year.
CONTACT_IS_VALID_FOR = timedelta(days=180)


def text_endpoint(make: Callable[[], str]) -> Endpoint:
    """An endpoint that answers with a text, made at every request."""

    async def answer(_request: Request) -> Response:
        return PlainTextResponse(make())

    return answer


def redirect_endpoint(path: str) -> Endpoint:
    """An endpoint that leads to a page of this site, for now."""

    async def answer(_request: Request) -> Response:
        return Response(status_code=302, headers={"location": path})

    return answer


def security_contact(origin: str, email: str, now: datetime | None = None) -> str:
    """security.txt (RFC 9116): where to report a vulnerability of this site."""
    expires = ((now or datetime.now(UTC)) + CONTACT_IS_VALID_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    return (
        f"Contact: mailto:{email}\n"
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}\n"
        "Preferred-Languages: en\n"
        f"Canonical: {origin}/.well-known/security.txt\n"
    )
