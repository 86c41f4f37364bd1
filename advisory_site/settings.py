"""Every environment setting of the site, read once and checked at start with plain messages."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

PREFIX = "ADVISORY_"
ROOT = Path(__file__).parents[1]


class WrongSetting(SystemExit):
    """Stops the start with one sentence: the variable, what it held, what it may hold."""

    def __init__(self, name: str, held: str, may_hold: str) -> None:
        super().__init__(f"{PREFIX}{name} is {held}, but it must be {may_hold}.")


@dataclass(frozen=True)
class Settings:
    """The settings as the rest of the code reads them; `from_environment` is the way to make one."""

    env: str
    data_dir: Path
    database_url: str
    public_url: str
    admin_email: str
    admin_password: str
    smtp_url: str
    mail_from: str
    trusted_proxies: int

    @property
    def is_production(self) -> bool:
        return self.env == "production"

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        """Which pages may open a websocket here: ours, and on a developer's machine the hot-reload server's."""
        if self.is_production:
            return (self.public_url,)
        by_address = self.public_url.replace("//localhost", "//127.0.0.1")
        return tuple(dict.fromkeys((self.public_url, by_address, "http://localhost:3000")))

    @property
    def outbox_dir(self) -> Path:
        """Where mail lies, one .eml file a message, when no SMTP server is configured."""
        return self.data_dir / "outbox"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Settings":
        """Read and check all settings; the first wrong one raises `WrongSetting`."""
        read = _Reader(environ)
        data_dir = Path(read.text("DATA_DIR", str(ROOT / ".data"))).expanduser().absolute()
        return cls(
            env=read.choice("ENV", "local", ("local", "production")),
            data_dir=data_dir,
            database_url=read.database_url("DATABASE_URL", f"sqlite:///{data_dir / 'advisory.db'}"),
            public_url=read.web_address("PUBLIC_URL", "http://localhost:3000"),
            admin_email=read.email("ADMIN_EMAIL"),
            admin_password=read.text("ADMIN_PASSWORD"),
            smtp_url=read.smtp_url("SMTP_URL"),
            mail_from=read.email("MAIL_FROM"),
            trusted_proxies=read.whole_number("TRUSTED_PROXIES", 0, at_most=10),
        )


class _Reader:
    """Reads single variables of one environment; an empty variable counts as unset."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str, default: str = "") -> str:
        return self._environ.get(PREFIX + name, "").strip() or default

    def choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        value = self.text(name, default)
        if value not in allowed:
            raise WrongSetting(name, f"'{value}'", " or ".join(f"'{a}'" for a in allowed))
        return value

    def whole_number(self, name: str, default: int, *, at_least: int = 0, at_most: int) -> int:
        value = self.text(name, str(default))
        if not (value.isascii() and value.isdigit() and at_least <= int(value) <= at_most):
            raise WrongSetting(name, f"'{value}'", f"a whole number from {at_least} to {at_most}")
        return int(value)

    def email(self, name: str) -> str:
        value = self.text(name)
        if value and ("@" not in value.strip("@") or " " in value):
            raise WrongSetting(name, f"'{value}'", "an e-mail address")
        return value

    def web_address(self, name: str, default: str) -> str:
        value = self.text(name, default).rstrip("/")
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
            raise WrongSetting(name, f"'{value}'", "an http:// or https:// address without a path")
        return value

    def database_url(self, name: str, default: str) -> str:
        value = self.text(name, default)
        if value.startswith("sqlite:///") or value.startswith("postgresql+psycopg://"):
            return value
        if value.startswith(("postgresql://", "postgres://")):
            return "postgresql+psycopg://" + value.split("://", 1)[1]
        # The rest of the address may hold a password, so only its scheme is shown.
        raise WrongSetting(name, f"an address of kind '{value.split(':', 1)[0]}'", "sqlite:///path or postgresql://...")

    def smtp_url(self, name: str) -> str:
        value = self.text(name)
        if value and (urlsplit(value).scheme not in ("smtp", "smtps") or not urlsplit(value).hostname):
            raise WrongSetting(
                name,
                f"an address of kind '{value.split(':', 1)[0]}'",
                "smtp://user:password@host:port or smtps://...",
            )
        return value


@cache
def get_settings() -> Settings:
    """The settings of this process; tests call `get_settings.cache_clear()` after changing the environment."""
    return Settings.from_environment(os.environ)
