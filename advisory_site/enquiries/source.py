"""Where a visitor came from to the contact form: a page of this site, or the host of another one."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from sitekit.base import paths
from sitekit.base.settings import get_settings
from sitekit.base.text import is_domain

from .. import routes

_PAGES = (
    paths.HOME,
    routes.WHY_US,
    routes.WHAT_WE_DO,
    routes.HOW_WE_WORK,
    routes.COMPANIES,
    routes.COMPANY,
    routes.TEAM,
    routes.TEAM_PROFILES,
    routes.TEAM_PROFILE,
    routes.MEET_OUR_TEAM,
    routes.ADVISORS,
    routes.ADVISOR,
    routes.INSIGHTS,
    routes.INSIGHT,
    paths.PRIVACY,
    routes.TERMS,
)
_PATH = re.compile("|".join(re.escape(page).replace(r"\[slug\]", "[a-z0-9-]{1,100}") for page in _PAGES))
LONGEST = 2_000


@dataclass(frozen=True)
class Source:
    """A path of this site, or a host, or neither."""

    path: str = ""
    host: str = ""


def source_of(reported: object) -> Source:
    """Read the address that a browser reports as the page before; anything else than a page or a host is nothing."""
    if not isinstance(reported, str) or len(reported) > LONGEST:
        return Source()
    try:
        address, own = urlsplit(reported), urlsplit(get_settings().public_url)
        host = address.hostname or ""
    except ValueError:
        return Source()
    if address.scheme not in ("http", "https"):
        return Source()
    if (host, address.netloc) == (own.hostname, own.netloc):
        return Source(path=address.path) if _PATH.fullmatch(address.path) else Source()
    return Source(host=host) if is_domain(host) else Source()
