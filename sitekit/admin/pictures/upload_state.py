"""The server side of a picture field: the permission to upload, and the description of an uploaded picture."""

import logging
from dataclasses import dataclass

import reflex as rx

from ...base import messages
from ...base.errors import ServiceError
from ...base.permissions import Action, Actor, require
from ...base.text import one_line
from ...records.pictures import held as pictures
from ...ui.feedback import reason
from ..db_calls import read
from ..guard import log_only, staff_event
from ..user_accounts import user_accounts
from .uploads import SUBJECT

MAX_ID = 40
MAX_ADDRESS = 200

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class UploadPermit:
    """The token for the upload with this id, or why there is none. Without an id, an error is about any upload."""

    upload: str = ""
    token: str = ""
    error: str = ""


@dataclass(frozen=True)
class KnownDescription:
    """What describes the picture at an address, and the stamp of it that the form sends back.

    `number` counts the answers, because one that is equal to the last would not be sent.
    """

    number: int = 0
    address: str = ""
    alt: str = ""
    is_decorative: bool = False
    stamp: str = ""


class UploadState(rx.State):
    """The permit of this tab's latest upload. Files do not pass through the socket, but through their own request.

    `described` is what describes the picture that a field asked about last.
    """

    permit: UploadPermit = UploadPermit()
    described: KnownDescription = KnownDescription()

    @staff_event(failed=lambda self, error, _subject: self._refuse(error))
    async def authorize(self, upload: str, *, actor: Actor) -> None:
        """Issue the token for one upload; the browser has chosen its id."""
        upload = upload[:MAX_ID]
        try:
            require(actor, Action.CHANGE_MEDIA)
            self.permit = UploadPermit(upload, await user_accounts().issue_link(self, SUBJECT))
        except ServiceError as error:
            self.permit = UploadPermit(upload, error=error.message)

    @staff_event(failed=log_only)  # the description can be typed
    async def find_description(self, address: str, *, actor: Actor) -> None:
        """Tell a field what describes the picture at its address."""
        address = one_line(address)[:MAX_ADDRESS]
        description = await read(lambda session: pictures.find_description(session, actor, address))
        number = self.described.number + 1
        self.described = KnownDescription(
            number, address, description.alt, description.is_decorative, description.version
        )

    def _refuse(self, error: Exception) -> None:
        """Reply beside the field, while the database is down."""
        log.error("An upload could not be permitted: %s", reason(error))
        self.permit = UploadPermit(error=messages.SERVICE_UNAVAILABLE)
