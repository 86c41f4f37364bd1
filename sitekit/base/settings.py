"""Every environment setting of the site, read once and checked at start with plain messages."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from .site import get_site
from .text import is_domain, is_mailable
from .urls import (
    DEFAULT_PORTS,
    NOT_ESCAPED,
    after_host,
    has_right_port,
    has_store_options,
    host_of,
    is_bucket,
    is_escaped,
    kind_of,
    origin_of,
    split,
)

PREFIX = get_site().setting_prefix
ROOT = get_site().root
OPEN = "open"
CLOSED = "closed"
ON, OFF = "on", "off"
NOBODY, ADMINS_ONLY, EVERYBODY = "nobody", "admins", "all"  # who must have a second factor
MIN_SECRET_LENGTH = 32
MIN_SECRET_CHARACTERS = 12
MIN_TOKEN_LENGTH = 16
DATABASE_FILE = f"{get_site().short_name}.db"
MAX_DIGITS = 9  # of a whole number
ESCAPED = "with %2F for each / in the name and the password, %3F for ? and %23 for #"
POSTGRESQL_URL = (
    "postgresql://user:password@host:5432/name?sslmode=require, with %40 for each @ in the name and the password"
)
# A value as a shell would read it: in quotation marks, or with a variable.
_FOR_A_SHELL = re.compile(r"""^["'`“”‘’]|\$[A-Za-z_{(]""")
STORE_URL = (
    f"s3://bucket/folder?endpoint=https://host&region=name, with the key and its secret in {PREFIX}{{0}}_KEY and"
    f" {PREFIX}{{0}}_SECRET, or as s3://key:secret@bucket with %2F for each / in them"
)


class WrongSetting(SystemExit):
    """Stops the start with one sentence: the variable, what it held, what it may hold."""

    def __init__(self, name: str, actual: str, may_hold: str) -> None:
        super().__init__(f"{PREFIX}{name} is {actual}, but it must be {may_hold}.")


@dataclass(frozen=True)
class Settings:
    """The settings of the site, read by `from_environment`."""

    env: str
    data_dir: Path
    database_url: str
    database_connections: int
    media_url: str
    backup_to: str
    lock_timeout_ms: int
    public_url: str
    admin_email: str
    admin_password: str
    smtp_url: str
    mail_from: str
    trusted_proxies: int
    secret_keys: tuple[str, ...]
    sign_up: str
    bcrypt_cost: int
    access_token_seconds: int
    session_days: int
    link_hours: int
    factor_required: str
    factor_grace_days: int
    sockets: int
    sockets_per_address: int
    redis_url: str
    metrics_token: str
    has_shared_cache: bool
    purge_url: str
    purge_token: str
    sentry_dsn: str
    otlp_url: str

    @property
    def is_production(self) -> bool:
        return self.env == "production"

    @property
    def listen_address(self) -> str:
        """All addresses of the machine in production; locally, where anyone may sign up, only localhost."""
        return "0.0.0.0" if self.is_production else "127.0.0.1"  # noqa: S104  on purpose

    @property
    def confirms_email(self) -> bool:
        """Whether an email address must be confirmed before sign-in; not needed locally without an SMTP server."""
        return self.is_production or bool(self.smtp_url)

    @property
    def public_host(self) -> str:
        """The host of the public address, as browsers write it; that of an IPv6 address without its brackets."""
        return urlsplit(self.public_url).hostname or ""

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        """The origins that may open a WebSocket: the site's own, and locally that of the hot-reload server."""
        if self.is_production:
            return (self.public_url,)
        by_address = self.public_url.replace("//localhost", "//127.0.0.1")
        return tuple(dict.fromkeys((self.public_url, by_address, "http://localhost:3000")))

    @property
    def secret_file(self) -> Path:
        """The file of the generated signing secret, used when none is set; readable by its owner only."""
        return self.data_dir / "secret_key"

    @property
    def sign_up_domains(self) -> tuple[str, ...]:
        """The email domains that may sign up; empty when all or none may."""
        return () if self.sign_up in (OPEN, CLOSED) else tuple(self.sign_up.split(","))

    @property
    def outbox_dir(self) -> Path:
        """The folder for mail when no SMTP server is configured, one .eml file per message."""
        return self.data_dir / "outbox"

    @property
    def media_dir(self) -> Path:
        """The folder of uploaded pictures, unless `media_url` names a store for them."""
        return self.data_dir / "media"

    @property
    def backups_dir(self) -> Path:
        """The folder of the backups that are made before a migration."""
        return self.data_dir / "backups"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Settings":
        """Read and check all settings; the first wrong one raises `WrongSetting`."""
        read = _Reader(environ)
        env = read.choice("ENV", "local", ("local", "production"))
        data_dir = read.folder("DATA_DIR", ROOT / ".data", env)
        has_shared_cache = read.choice("SHARED_CACHE", OFF, (OFF, ON)) == ON
        return cls(
            env=env,
            data_dir=data_dir,
            database_url=read.database_url("DATABASE_URL", f"sqlite:///{quote(str(data_dir / DATABASE_FILE))}"),
            database_connections=read.whole_number("DATABASE_CONNECTIONS", 22, at_least=1, at_most=1000),
            media_url=read.store_url("MEDIA_URL", read.text("MEDIA_KEY"), read.text("MEDIA_SECRET")),
            backup_to=read.folder_or_store("BACKUP_TO", env, read.text("BACKUP_KEY"), read.text("BACKUP_SECRET")),
            lock_timeout_ms=read.whole_number("LOCK_TIMEOUT_MS", 5000, at_most=60_000),
            public_url=read.web_address("PUBLIC_URL", "http://localhost:3000"),
            admin_email=read.email("ADMIN_EMAIL"),
            admin_password=read.password("ADMIN_PASSWORD"),
            smtp_url=read.smtp_url("SMTP_URL"),
            mail_from=read.email("MAIL_FROM"),
            trusted_proxies=read.whole_number("TRUSTED_PROXIES", 0, at_most=10),
            secret_keys=read.secret_keys("SECRET_KEY", required=env == "production"),
            sign_up=read.sign_up("SIGN_UP", "" if env == "production" else OPEN),
            bcrypt_cost=read.whole_number("BCRYPT_COST", 12, at_least=4 if env == "local" else 10, at_most=16),
            access_token_seconds=read.whole_number("ACCESS_TOKEN_SECONDS", 3600, at_least=2, at_most=86_400),
            session_days=read.whole_number("SESSION_DAYS", 30, at_least=1, at_most=400),
            redis_url=read.redis_url("REDIS_URL"),
            metrics_token=read.token("METRICS_TOKEN"),
            sentry_dsn=read.sentry_dsn("SENTRY_DSN"),
            otlp_url=read.web_address("OTLP_URL", ""),
            link_hours=read.whole_number("LINK_HOURS", 24, at_least=1, at_most=168),
            factor_required=read.choice("FACTOR_REQUIRED", NOBODY, (NOBODY, ADMINS_ONLY, EVERYBODY)),
            factor_grace_days=read.whole_number("FACTOR_GRACE_DAYS", 14, at_most=365),
            sockets=read.whole_number("SOCKETS", 1500, at_least=1, at_most=100_000),
            sockets_per_address=read.whole_number("SOCKETS_PER_ADDRESS", 400, at_least=1, at_most=100_000),
            has_shared_cache=has_shared_cache,
            purge_url=read.purge_url("PURGE_URL", has_shared_cache=has_shared_cache),
            purge_token=read.token("PURGE_TOKEN"),
        )


class _Reader:
    """Reads single variables of one environment; an empty variable counts as unset."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def text(self, name: str, default: str = "") -> str:
        return self._environ.get(PREFIX + name, "").strip() or default

    def password(self, name: str) -> str:
        """A password as it is typed: with spaces, also at its ends."""
        value = self._environ.get(PREFIX + name, "").strip("\r\n")
        return value if value.strip() else ""

    def url(self, name: str, default: str = "") -> str:
        """A text with the scheme of a URL, if it has one, in lower case."""
        value = self.text(name, default)
        scheme, separator, rest = value.partition("://")
        return scheme.lower() + separator + rest if separator else value

    def folder(self, name: str, default: Path, env: str) -> Path:
        value = self.text(name, str(default))
        if _FOR_A_SHELL.search(value):
            raise WrongSetting(name, f"'{value}'", "a folder, without quotation marks and variables: no shell reads it")
        try:
            path = Path(value).expanduser()
        except RuntimeError:
            raise WrongSetting(name, f"'{value}'", "a folder; there is no such user") from None
        if env == "production" and not path.is_absolute():
            raise WrongSetting(name, f"'{value}'", "the whole path of a folder, which begins with /")
        return path.absolute()

    def choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        value = self.text(name, default)
        if value not in allowed:
            raise WrongSetting(name, f"'{value}'", " or ".join(f"'{a}'" for a in allowed))
        return value

    def whole_number(self, name: str, default: int, *, at_least: int = 0, at_most: int) -> int:
        value = self.text(name, str(default))
        is_number = value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS
        if not (is_number and at_least <= int(value) <= at_most):
            raise WrongSetting(name, f"'{value}'", f"a whole number from {at_least} to {at_most}")
        return int(value)

    def secret_keys(self, name: str, *, required: bool) -> tuple[str, ...]:
        """Secrets separated by commas: the first signs, all verify, so that keys can be rotated."""
        keys = tuple(key for key in (part.strip() for part in self.text(name).split(",")) if key)
        fitting = f"a random secret of at least {MIN_SECRET_LENGTH} characters, such as 'openssl rand -hex 32' prints"
        if required and not keys:
            raise WrongSetting(name, "not set", fitting)
        for key in keys:
            if len(key) < MIN_SECRET_LENGTH or len(set(key)) < MIN_SECRET_CHARACTERS:
                raise WrongSetting(name, f"too weak (a text of {len(key)} characters)", fitting)
        return keys

    def sign_up(self, name: str, default: str) -> str:
        """Who may create an account: 'open', 'closed', or email domains."""
        value = self.text(name, default).lower()
        if value in (OPEN, CLOSED):
            return value
        domains = [domain for domain in (part.strip().lstrip("@") for part in value.split(",")) if domain]
        if not domains or not all(is_domain(domain) for domain in domains):
            actual = f"'{value}'" if value else "not set"
            raise WrongSetting(name, actual, "'open', 'closed', or email domains with commas between them")
        return ",".join(domains)

    def email(self, name: str) -> str:
        value = self.text(name)
        if value and not is_mailable(value):
            raise WrongSetting(name, f"'{value}'", "an email address")
        return value

    def web_address(self, name: str, default: str) -> str:
        """The origin of a web address."""
        value = self.text(name, default).rstrip("/")
        if not value:
            return ""
        parts = split(value)
        is_web = parts.scheme in DEFAULT_PORTS and host_of(parts)
        is_complete = is_web and not parts.path and not re.search(r"[\s?#@]", value)
        if not (is_complete and has_right_port(value)):
            actual = "an address with a user name" if "@" in value else f"'{value}'"
            fitting = "an http:// or https:// address without a path, such as https://www.example.com"
            raise WrongSetting(name, actual, fitting)
        return origin_of(parts)

    def purge_url(self, name: str, *, has_shared_cache: bool) -> str:
        value = self.text(name)
        parts = split(value)
        is_complete = parts.scheme in ("http", "https") and parts.hostname and "@" not in value and not parts.fragment
        if value and not (is_complete and has_right_port(value)):
            raise WrongSetting(name, kind_of(value), "an http:// or https:// address without a user name")
        if value and not has_shared_cache:
            raise WrongSetting(name, "set", f"empty unless {PREFIX}SHARED_CACHE is '{ON}'")
        return value

    def database_url(self, name: str, default: str) -> str:
        value = self.url(name, default)
        if value.startswith("sqlite:///"):
            return self._sqlite_url(name, value)
        if value.startswith(("postgresql+psycopg://", "postgresql://", "postgres://")):
            address = "postgresql+psycopg://" + value.split("://", 1)[1]
            from .db.postgresql import fault_of  # loads SQLAlchemy

            if fault := fault_of(address):
                raise WrongSetting(name, fault, POSTGRESQL_URL)
            return address
        raise WrongSetting(name, kind_of(value), "sqlite:///path or postgresql://...")

    def _sqlite_url(self, name: str, value: str) -> str:
        path = value.removeprefix("sqlite:///").removeprefix("file:").partition("?")[0]
        is_relative = path != "" and not path.startswith(("~", ":memory:"))
        if path.startswith("/") or (is_relative and self.text("ENV") != "production"):
            return value
        fitting = f"sqlite:/// and the whole path of a file, such as sqlite:////srv/{DATABASE_FILE}"
        raise WrongSetting(name, f"'{value}'", fitting)

    def store_url(self, name: str, key: str, secret: str) -> str:
        """The URL of an S3-compatible store, with the key and the secret, if they are set; empty without one."""
        value, fitting = self.url(name), STORE_URL.format(name.partition("_")[0])
        if not value:
            return ""
        parts = split(value)
        if parts.scheme != "s3" or not is_bucket(value, parts) or not has_store_options(parts.query):
            raise WrongSetting(name, kind_of(value), fitting)
        if not parts.username and not (key and secret):
            raise WrongSetting(name, "an address without a key and its secret", fitting)
        if parts.username:
            return value
        return f"s3://{quote(key, safe='')}:{quote(secret, safe='')}@{value.removeprefix('s3://')}"

    def folder_or_store(self, name: str, env: str, key: str, secret: str) -> str:
        """The path of a folder, or the URL of an S3-compatible store; empty without either."""
        value = self.text(name)
        # What was meant as a store may have a secret, which a sentence about a folder would show.
        is_store = not value or "://" in value or re.match("s3:|[^/]+:.*@", value)
        return self.store_url(name, key, secret) if is_store else str(self.folder(name, Path(), env))

    def redis_url(self, name: str) -> str:
        value = self.url(name)
        fitting = f"redis://:password@host:port/0 or rediss://..., {ESCAPED}"
        if value and not value.startswith(("redis://", "rediss://", "unix://")):
            raise WrongSetting(name, kind_of(value), fitting)
        if value and not value.startswith("unix://") and not is_escaped(value):
            raise WrongSetting(name, NOT_ESCAPED, fitting)
        number = after_host(value).partition("?")[0]
        if not value.startswith("unix://") and not (has_right_port(value) and (number or "0").isdecimal()):
            raise WrongSetting(name, "an address with a wrong port or number of a database", fitting)
        return value

    def token(self, name: str) -> str:
        value = self.text(name)
        if value and len(value) < MIN_TOKEN_LENGTH:
            raise WrongSetting(name, f"a text of {len(value)} characters", f"{MIN_TOKEN_LENGTH} characters or more")
        return value

    def sentry_dsn(self, name: str) -> str:
        value = self.text(name)
        parts = split(value)
        is_complete = parts.scheme in ("http", "https") and parts.username and parts.hostname
        if value and not (is_complete and parts.path.rpartition("/")[2].isdigit() and has_right_port(value)):
            raise WrongSetting(name, kind_of(value), "https://key@host/number, as the tracker shows it")
        return value

    def smtp_url(self, name: str) -> str:
        """The URL of a mail server, of which nothing is left out when it is used."""
        value = self.text(name)
        if not value:
            return ""
        parts, fitting = split(value), f"smtp://user:password@host:port or smtps://..., {ESCAPED}"
        if not is_escaped(value):
            raise WrongSetting(name, NOT_ESCAPED if "@" in value else kind_of(value), fitting)
        host, user = host_of(parts), parts.netloc.rpartition("@")[0]
        has_both = bool(parts.username) == bool(parts.password) and unquote(user).isascii()
        if parts.scheme not in ("smtp", "smtps") or not host or parts.path.strip("/") or parts.query or parts.fragment:
            raise WrongSetting(name, kind_of(value), fitting)
        if not has_both:
            held = "an address with a user or a password alone, or with letters that SMTP cannot send"
            raise WrongSetting(name, held, fitting)
        if not has_right_port(value):
            raise WrongSetting(name, "an address with a wrong port", fitting)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{user}{'@' if user else ''}{host}{port}"


@cache
def get_settings() -> Settings:
    """The settings of this process; tests call `get_settings.cache_clear()` after changing the environment."""
    return Settings.from_environment(os.environ)
