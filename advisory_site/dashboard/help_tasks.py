"""The tasks of the handbook: those of the kit, and those that only this site has."""

from sitekit.admin import texts
from sitekit.admin.office import office
from sitekit.admin.places import Task
from sitekit.app.handbook import account_tasks, record_tasks

from .. import routes
from ..enquiries import admin_texts, desk_texts
from ..permissions import SiteAction
from ..team.service import MEMBERS

_ENQUIRIES = f"[{admin_texts.TITLE}]({routes.ADMIN_ENQUIRIES})"
_SPAM = f"[{admin_texts.STATES['spam']}]({routes.ADMIN_ENQUIRIES}?filter=spam)"


def tasks() -> tuple[Task, ...]:
    """All tasks, in the order of the handbook."""
    team = f"[{office().list_label(MEMBERS)}]({MEMBERS.list_page()})"
    return (
        Task("Answer an enquiry", SiteAction.CHANGE_ENQUIRIES).with_steps(
            f"Open {_ENQUIRIES} and choose one. The list says when each reply is due.",
            f"Press **{desk_texts.TAKE}**, so that your colleagues see who answers.",
            f"Write your reply and press **{desk_texts.SEND}**. It is signed with your name.",
            f"If they answer by email, press **{desk_texts.ANSWER}** and paste it.",
            f"When nothing is left to do, press **{admin_texts.MARK_HANDLED}**.",
        ),
        Task("An enquiry that is spam", SiteAction.CHANGE_ENQUIRIES).with_steps(
            f"Open {_ENQUIRIES} and choose it.",
            f"Press **{desk_texts.MARK_SPAM}**. It is no longer counted, and is deleted after 30 days.",
            f"Now and then, look through {_SPAM}, where suspicious messages are set aside.",
            f"If one is real, open it and press **{desk_texts.MARK_NOT_SPAM}**. It is new again.",
        ),
        *record_tasks(),
        *account_tasks(
            f"Open {_ENQUIRIES}: theirs are new again. Open each, choose a name and press **{desk_texts.ASSIGN}**.",
            f"If visitors see them, open {team} and press **{texts.UNPUBLISH}** in the menu of their row.",
        ),
    )
