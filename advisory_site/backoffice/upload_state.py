"""The permission to upload a picture: an event that issues a one-use token for the request that carries the file."""

from dataclasses import dataclass

import reflex as rx

from ..accounts.guard import staff_event
from ..accounts.session_state import auth_of
from ..content import messages
from ..core.errors import ServiceError
from ..core.permissions import Action, Actor, require

MAX_ID = 40


@dataclass(frozen=True)
class UploadPermit:
    """The token for the upload with this id, or why there is none. Without an id, an error is about any upload."""

    upload: str = ""
    token: str = ""
    error: str = ""


class UploadState(rx.State):
    """The permit of this tab's latest upload. Files do not pass through the socket, but through their own request."""

    permit: UploadPermit = UploadPermit()

    @staff_event
    async def authorize(self, upload: str, *, actor: Actor) -> None:
        """Issue the token for one upload; the browser has chosen its id."""
        upload = upload[:MAX_ID]
        try:
            require(actor, Action.MANAGE_MEDIA)
            self.permit = UploadPermit(upload, (await auth_of(self))._upload_token())
        except ServiceError as error:
            self.permit = UploadPermit(upload, error=error.message)

    def _on_database_down(self, _handler: str, _error: BaseException) -> None:
        """Reply beside the field while the database is down."""
        self.permit = UploadPermit(error=messages.SERVICE_UNAVAILABLE)
