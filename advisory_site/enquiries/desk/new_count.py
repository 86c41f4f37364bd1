"""The link to the enquiries in the header of the back office, with the number of new ones."""

import logging

import reflex as rx

from sitekit.admin.components.elements import link
from sitekit.admin.db_calls import read
from sitekit.admin.guard import staff_event
from sitekit.base.permissions import Actor
from sitekit.ui.feedback import reason
from sitekit.ui.icons import icon

from ... import routes
from .. import admin_texts as texts
from . import inbox

MOST_SHOWN = 99

logger = logging.getLogger(__name__)


class NewEnquiriesState(rx.State):
    """The number of new enquiries, counted at every visit of a back-office page and after every change of one."""

    count: int = 0

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def load(self, *, actor: Actor) -> None:
        """Count the new enquiries; a failure shows no count and is logged."""
        self.count = await read(lambda session: inbox.count_new(session, actor))

    def _fail(self, error: Exception) -> None:
        logger.error("New enquiries could not be counted: %s", reason(error))
        self.count = 0


def enquiries_link() -> rx.Component:
    """The link with the count."""
    count = NewEnquiriesState.count
    number = rx.cond(count > MOST_SHOWN, f"{MOST_SHOWN}+", count)
    return link(
        icon("mail"),
        rx.el.span(texts.TITLE, class_name="visually-hidden"),
        rx.cond(
            count > 0,
            rx.el.span(
                number,
                rx.el.span(f" {texts.NEW_COUNTED}", class_name="visually-hidden"),
                class_name="count-badge",
            ),
        ),
        href=routes.ADMIN_ENQUIRIES,
        title=texts.TITLE,
        class_name="header-link",
    )
