"""The site that the kit serves: its brand, and its names in settings, logs, metrics, files and browsers."""

from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Brand:
    """The firm behind the site, as pages and mails name it."""

    name: str
    legal_name: str
    domain: str
    email: str

    @property
    def email_href(self) -> str:
        """The general address as a link."""
        return f"mailto:{self.email}"


@dataclass(frozen=True)
class Site:
    """The facts about a site; the defaults are for an app that sets none.

    Once a site is in use, only `brand`, `version`, `root` and `trade` can be changed safely: tokens, encrypted secrets,
    backups, browsers, alerts and the operator's settings contain the other names.
    """

    brand: Brand = Brand("Example", "Example Ltd.", "example.com", "hello@example.com")
    package: str = "example"  # with the app object; its log, its tokens and its connections have the same name
    version: str = "0"
    root: Path = field(default_factory=Path.cwd)  # the folder with alembic.ini, and with .web after a build
    setting_prefix: str = "EXAMPLE_"  # of the environment variables
    short_name: str = "example"  # begins the names of metrics, of scratch folders and of what browsers store
    file_name: str = "example"  # begins the names of backups; the operator's command is deploy/FILE_NAME
    zone: tzinfo = UTC  # of the dates in the names of files, and of the times that staff choose
    zone_name: str = "UTC"  # as people call it
    trade: tuple[str, ...] = ()  # words of the trade, which are no part of a good password


_site: Site | None = None


def use(site: Site) -> None:
    """Hand over the facts about the site, before anything else of the kit is imported: modules read them then.

    Raises `RuntimeError` if they were handed over or read before.
    """
    global _site
    if _site is not None:
        raise RuntimeError("The kit has a site already. Import the site's package before any module of the kit.")
    _site = site


def get_site() -> Site:
    """The facts about the site; the defaults, which are final then, if none were handed over."""
    global _site
    _site = _site or Site()
    return _site
