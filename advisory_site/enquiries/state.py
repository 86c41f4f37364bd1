"""The contact form at work: what was sent becomes an enquiry, or a word beside each field that hinders it."""

import secrets

import reflex as rx

from ..content import contact, messages
from ..database import transaction
from ..errors import InvalidInput
from ..events import public_event
from ..threads import WRITERS
from ..ui.feedback import failure, subject_of, success
from . import service
from .rules import EnquiryDraft

FIELDS = tuple(field.name for field in contact.FIELDS)


class ContactState(rx.State):
    """The form of one visitor. What is typed stays in the browser until it is sent, and after an error too."""

    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    typed: dict[str, str] = dict.fromkeys(FIELDS, "")
    submission_id: str = ""
    is_sending: bool = False
    is_sent: bool = False
    times_sent: int = 0
    times_refused: int = 0

    @public_event
    def load(self):
        """Give the form an id, by which the same form sent twice is known."""
        self.submission_id = self.submission_id or secrets.token_hex(16)

    @public_event
    async def send(self, form_data: dict):
        """Store what was sent. A program that fills in every field hears the same thanks, and nothing is stored."""
        self.is_sending, self.is_sent = True, False
        yield
        try:
            if not _is_caught(form_data):
                await self._store(form_data)
        except Exception as error:
            complaints = error.fields if isinstance(error, InvalidInput) else {}
            self.errors = {name: complaints.get(name, "") for name in FIELDS}
            self.times_refused += 1
            yield failure(error, messages.ENQUIRY_NOT_STORED, subject_of(self))
        else:
            self._begin_anew()
            yield success(messages.ENQUIRY_SENT, subject_of(self))
        finally:
            self.is_sending = False

    async def _store(self, form_data: object) -> None:
        draft = EnquiryDraft.read(form_data)
        form_id = form_data.get("submission") if isinstance(form_data, dict) else None
        sender = self.router.session.client_ip
        # In a thread: a locked database takes seconds to give up, and nobody else shall wait.
        await WRITERS.run(store, draft, form_id, sender)

    def _begin_anew(self) -> None:
        self.errors = dict.fromkeys(FIELDS, "")
        self.submission_id = secrets.token_hex(16)
        self.is_sent = True
        self.times_sent += 1


def store(draft: EnquiryDraft, form_id: object, sender: str) -> bool:
    """Store an enquiry in a transaction of its own; returns whether it is new."""
    with transaction() as session:
        return service.submit(session, draft, form_id if isinstance(form_id, str) else "", sender)


def _is_caught(form_data: object) -> bool:
    return isinstance(form_data, dict) and bool(form_data.get(contact.HONEYPOT.name))
