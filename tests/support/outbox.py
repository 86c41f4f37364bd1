"""The mails that a site without a mail server writes into files, and those that it could not send."""

from pathlib import Path

import sqlalchemy as sa

from sitekit.base.db.database import now, transaction
from sitekit.base.mail import outbox
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.mail.transport import Message


def mail_files(data_dir: Path) -> list[Path]:
    """The mails in the outbox of a data folder, by name; one that is being written has another name."""
    return sorted((data_dir / "outbox").glob("[!.]*.eml"))


def given_up(*recipients: str) -> None:
    """Messages that were given up; the server would send them at once if they were sent again."""
    with transaction() as session:
        for recipient in recipients:
            outbox.enqueue(session, Message(recipient, f"Hello {recipient}", "The words"))
        session.flush()
        why = "The mail server refused the recipient’s address (code 550)."
        session.execute(sa.update(OutgoingMail).values(due_at=None, given_up_at=now(), last_error=why))
