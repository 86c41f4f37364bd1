"""Takes the URLs of settings apart: host, port, password, bucket."""

import ipaddress
import re
from contextlib import suppress
from urllib.parse import SplitResult, parse_qsl, urlsplit

import idna

NOT_ESCAPED = "an address whose name or password is not escaped"
DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def split(address: str) -> SplitResult:
    """The parts of a URL; empty ones if it cannot be parsed."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def is_escaped(address: str) -> bool:
    """Whether a URL can be split and none of its name and password is lost then: each @ is before the host's end."""
    parts = split(address)
    return bool(parts.scheme) and parts.netloc.count("@") == address.count("@") and not re.search(r"[\t\r\n]", address)


def host_of(parts: SplitResult) -> str:
    """The host of a URL as browsers write it; empty if it is none.

    In lower case, with other letters than English ones in Punycode, and without a dot at its end, which people leave
    out. Numbers are an address of IPv4 in its usual form.
    """
    host = (parts.hostname or "").removesuffix(".")
    with suppress(ValueError):
        if ":" in host and "%" not in host:
            return f"[{ipaddress.IPv6Address(host)}]"
        name = host if host.isascii() else idna.encode(host, uts46=True).decode()
        if _NUMBER.fullmatch(name.rpartition(".")[2]):
            return str(ipaddress.IPv4Address(name))
        return name if _HOST_NAME.fullmatch(name) else ""
    return ""


def origin_of(parts: SplitResult) -> str:
    """The origin of an http:// or https:// URL as browsers write it, which they compare letter by letter."""
    port = "" if parts.port in (None, DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host_of(parts)}{port}"


def is_bucket(address: str, parts: SplitResult) -> bool:
    """Whether a URL has a bucket and perhaps a folder; a key comes with a secret, and no sign of them is unescaped."""
    bucket = parts.netloc.rpartition("@")[2]
    is_name = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", bucket) is not None
    is_folder = re.fullmatch(r"[A-Za-z0-9/._-]*", parts.path) is not None and not {".", ".."} & {*parts.path.split("/")}
    has_both = bool(parts.username) == bool(parts.password) and address.count("@") == ("@" in parts.netloc)
    return is_name and is_folder and has_both and not parts.fragment


def has_store_options(query: str) -> bool:
    """Whether a query names an endpoint, a region or both, each once, and nothing else."""
    pairs = parse_qsl(query, keep_blank_values=True)
    options = dict(pairs)
    endpoint = options.get("endpoint", "https://host")
    address = split(endpoint)
    is_address = address.scheme in ("http", "https") and bool(address.hostname) and not address.query
    is_region = re.fullmatch(r"[A-Za-z0-9-]+", options.get("region", "any")) is not None
    is_known = len(pairs) == len(options) and {*options} <= {"endpoint", "region"}
    return is_known and is_address and is_region and "@" not in endpoint and has_right_port(endpoint)


def kind_of(address: str) -> str:
    """How an error message names a wrong URL: by its scheme alone, because the rest may contain a password."""
    scheme, separator, _ = address.partition("://")
    return f"an address of kind '{scheme}'" if separator and scheme.replace("+", "").isalnum() else "not an address"


def has_right_port(address: str) -> bool:
    """Whether a URL has no port, or one from 1 to 65535. The password before the host may contain any character."""
    host = address.rpartition("://")[2].rpartition("@")[2].partition("/")[0].partition("?")[0]
    port = host.rpartition("]")[2].partition(":")[2]
    return not port or (port.isascii() and port.isdecimal() and 1 <= int(port) <= 65_535)


def after_host(address: str) -> str:
    """What follows the host of a URL, without the slash."""
    return address.rpartition("://")[2].rpartition("@")[2].partition("/")[2]
