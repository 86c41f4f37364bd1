"""`/media/...`: the endpoint that sends the files of uploaded pictures."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from ...base.threads import MEDIA
from .addresses import FILE_NAME, MEDIA_TYPES, PREFIX
from .storage import StoreUnavailable, store

_IMMUTABLE: Mapping[str, str] = MappingProxyType({"cache-control": "public, max-age=31536000, immutable"})
_NEVER_STORED: Mapping[str, str] = MappingProxyType({"cache-control": "no-store"})
# Drawn in place of a picture that is missing, with and without scripts: browsers show the image of any answer.
_PLACEHOLDER = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 5" width="400" height="500">'
    b'<path fill="#dfe8e2" d="M0 0h4v5H0z"/><g fill="#a9bfb2"><circle cx="2" cy="1.9" r=".8"/>'
    b'<path d="M.6 5a1.4 1.5 0 0 1 2.8 0z"/></g></svg>'
)


class MediaFiles:
    """Answers the address of a file; open to everyone, like the pages that show it."""

    async def __call__(self, request: Request) -> Response:
        """The file, or a placeholder with 404 if there is none, and with 503 if the store does not answer."""
        name = request.url.path.removeprefix(PREFIX)
        match = FILE_NAME.fullmatch(name)
        if match is None:
            return _placeholder(404)
        try:
            data = await MEDIA.run(store().get, name)
        except StoreUnavailable:
            return _placeholder(503)
        if data is None:
            return _placeholder(404)
        tag = f'"{name}"'
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers={"etag": tag, **_IMMUTABLE})
        return Response(data, media_type=MEDIA_TYPES[match[3]], headers={"etag": tag, **_IMMUTABLE})


def _placeholder(status: int) -> Response:
    return Response(_PLACEHOLDER, status, _NEVER_STORED, "image/svg+xml")
