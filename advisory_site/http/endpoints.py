"""The small answers that are neither pages nor files: robots, sitemap, security contact, health."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from ..content.firm import FIRM
from ..observability.health import alive
from ..seo.sitemap import Records, Sitemap, robots
from .responses import send_plain

Endpoint = Callable[[Any, Any, Any], Awaitable[None]]

# RFC 9116 asks for less than a year.
CONTACT_IS_VALID_FOR = timedelta(days=180)


def endpoints(
    origin: str, fixed: Iterable[str], records: Iterable[Records], *, ready: Endpoint, metrics: Endpoint
) -> dict[str, Endpoint]:
    """Each endpoint by its address; all of them only answer questions."""
    return {
        "/robots.txt": _text(lambda: robots(origin)),
        "/.well-known/security.txt": _text(lambda: security_contact(origin, datetime.now(UTC))),
        "/sitemap.xml": Sitemap(origin, fixed, records),
        "/healthz": alive,
        "/readyz": ready,
        "/metrics": metrics,
    }


def security_contact(origin: str, now: datetime) -> str:
    """security.txt: where to write about a weakness of this site."""
    expires = (now + CONTACT_IS_VALID_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    return (
        f"Contact: mailto:{FIRM.email}\n"
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}\n"
        "Preferred-Languages: en\n"
        f"Canonical: {origin}/.well-known/security.txt\n"
    )


def _text(make: Callable[[], str]) -> Endpoint:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await send_plain(send, scope, make())

    return answer
