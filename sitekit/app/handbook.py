"""`/admin/help`: the handbook of the back office, and the tasks that every back office has."""

import re

import reflex as rx

from ..accounts.factors import texts as two_step
from ..accounts.invitations import texts as invitations
from ..accounts.people import person_texts as person
from ..accounts.personal_data import texts as personal_data
from ..admin import texts
from ..admin.components.elements import heading, link
from ..admin.current_user import where_allowed
from ..admin.drafts import preview_texts as preview
from ..admin.office import office
from ..admin.page_texts import screen_texts as page_texts
from ..admin.pictures import texts as pictures
from ..admin.places import Task
from ..admin.record_labels import add_label, submit_labels
from ..admin.shell import focus_on_heading, side_page
from ..admin.trash import texts as trash
from ..base import paths
from ..base.permissions import Action
from ..base.site import get_site
from ..base.text import listed, with_article
from ..records import csv_texts, draft_texts, history_texts
from ..records.features import features
from ..records.fields.field_type import fields_of
from ..records.fields.markdown import MarkdownField

_NAMES = re.compile(r"(\*\*.+?\*\*|\[.+?\]\(.+?\))")


def help_page() -> rx.Component:
    """The page: the titles of the tasks that the reader's role allows, then each task with its steps."""
    tasks = office().tasks()
    titles = (where_allowed(task.action, rx.el.li(link(task.title, href=task.href))) for task in tasks)
    return side_page(
        texts.HELP,
        focus_on_heading(),
        rx.el.p(texts.HELP_TEXT, class_name="backoffice-muted"),
        rx.el.nav(rx.el.ul(*titles), aria_label=texts.HELP, class_name="help-contents"),
        rx.el.div(*(where_allowed(task.action, _section(task)) for task in tasks), class_name="help-tasks"),
    )


def _section(task: Task) -> rx.Component:
    title = heading(task.title, level="h2", size="sm", id=task.href.partition("#")[2])
    return rx.el.section(title, rx.el.ol(*(rx.el.li(*map(_part, _NAMES.split(step))) for step in task.steps)))


def _part(part: str) -> rx.Component | str:
    """A button in bold, a page as a link, or the text between them."""
    if part.startswith("**"):
        return rx.el.b(part.strip("*"))
    name, _, address = part[1:-1].partition("](")
    return link(name, href=address) if address else part


def record_tasks() -> tuple[Task, ...]:
    """What is done alike with records of all types, for those who may change those of the first, and with texts."""
    types = [record_type for record_type in features().record_types if record_type.tab]
    action, forms = types[0].change_action, [record_type.staff_pages.new_page for record_type in types]
    imports = [record_type.staff_pages.import_page for record_type in types]
    lists = listed([f"[{office().list_label(one)}]({one.list_page()})" for one in types], "or")
    return (
        Task(f"Add {with_article(listed([one.noun for one in types], 'or'))}", action).with_steps(
            f"Open {lists}.",
            f"Press {listed([f'**{add_label(one)}**' for one in types], 'or')}.",
            f"Fill in the form. To see the page before visitors do, press **{draft_texts.PREVIEW}**.",
            f"Press **{texts.SAVE_AND_CONTINUE}**. If it is active, visitors see it at once.",
        ),
        Task("Publish on Monday", action, forms).with_steps(
            f"Open {lists}, then the form of what is to change, and change it. Visitors see nothing of this yet.",
            f"Open **{draft_texts.SCHEDULE}** and set **{draft_texts.PUBLISH_AT}**, in {get_site().zone_name} time.",
            f"Press **{draft_texts.SCHEDULE}** at the foot of the form. The list now shows the day and the hour.",
            f"To publish earlier, press **{draft_texts.PUBLISH_NOW}**. To drop it, press **{draft_texts.DISCARD}**.",
        ),
        Task("Share a draft with an outsider", action, (paths.ADMIN_PREVIEW,)).with_steps(
            f"Open {lists}, then the form of what you want to show.",
            f"Press **{draft_texts.PREVIEW}**. What you typed is saved as a draft, and the site stays as it is.",
            f"Press **{preview.SHARE}**, enter for how many days, and press **{preview.MAKE_LINK}**.",
            f"Press **{preview.COPY}** and send the link. It opens without signing in.",
            f"To end it early, press **{preview.SHARE}** again, then **{preview.REVOKE}**.",
        ),
        Task("Take a page off the site", action).with_steps(
            f"Open {lists}.",
            f"Press **{texts.UNPUBLISH}** in the menu of its row. The page is gone at once; nothing is deleted.",
            f"To bring it back, press **{texts.PUBLISH}** in the same menu.",
        ),
        Task("Undo a mistake", action, (paths.ADMIN_HISTORY,)).with_steps(
            f"If you have only just made it, press **{texts.UNDO}** in the notice, or Ctrl+Z.",
            f"If you deleted something, open [{trash.TITLE}]({paths.ADMIN_TRASH}) and press **{trash.RESTORE}**.",
            f"If you saved something wrong, open it from {lists}, and press **{texts.HISTORY}** below the form.",
            f"Choose the version that was right, and press **{history_texts.RESTORE}**.",
            f"Check what comes back, and press **{texts.SAVE_AND_CONTINUE}**.",
        ),
        Task("Import a list", action, imports).with_steps(
            f"Open {lists}, and press **{csv_texts.EXPORT}** to get a file with the right columns.",
            "Change it in a spreadsheet, and save it as “CSV UTF-8”. Leave the ID of new rows empty.",
            f"Back in the list, press **{csv_texts.IMPORT}**, then **{csv_texts.FILE_CHOOSE}**.",
            f"Read what would change. Nothing is saved yet, and rows under **{csv_texts.WRONG_ROWS}** are left out.",
            f"Press **{csv_texts.IMPORT_MANY.format(count='…')}**. **{texts.UNDO}** takes all of it back.",
        ),
        Task("Correct a sentence on Home", Action.CHANGE_TEXTS, (paths.ADMIN_PAGE_TEXTS,)).with_steps(
            f"Open [{page_texts.TITLE}]({paths.ADMIN_TEXTS}), then [Home]({paths.page_texts(paths.HOME)}).",
            "Press the sentence, in the list or on the page beside it.",
            f"Correct it and press **{page_texts.SAVE}**. It is live at once.",
            f"To take it back, open it again and press **{page_texts.USE_ORIGINAL}**.",
        ),
        *(
            Task(f"Add a picture to {with_article(one.noun)}", one.change_action).with_steps(
                f"Open [{office().list_label(one)}]({one.list_page()}), then the {one.noun}, and click where it goes.",
                f"Press **{texts.MARKDOWN_PICKER['choose']}** or, if it is in [{pictures.TITLE}]({paths.ADMIN_MEDIA}), "
                f"**{texts.MARKDOWN['insert']}**.",
                "Say between the square brackets what it shows, for readers who cannot see it.",
                f"Press **{submit_labels(one)[1]}**.",
            )
            for one in types
            if fields_of(one.fields, MarkdownField)
        ),
    )


def account_tasks(*leaving: str) -> tuple[Task, ...]:
    """What is done with accounts and personal data; `leaving` are further steps of a site when someone leaves."""
    users = paths.admin_tab("users")
    return (
        Task("Invite a colleague", Action.INVITE_USERS, (users,)).with_steps(
            f"Open [{invitations.TITLE}]({paths.ADMIN_INVITATIONS}) and press **{invitations.INVITE}**.",
            f"Enter their email addresses, choose their role, and press **{invitations.SEND}**.",
            f"If an email gets lost, press **{invitations.SEND_AGAIN}**. To stop it, press **{invitations.REVOKE}**.",
        ),
        Task("Someone leaves", Action.MANAGE_ACCOUNTS, (paths.ADMIN_PERSON,)).with_steps(
            f"Open [{office().tabs['users']}]({users}) and choose their name.",
            f"Press **{person.DEACTIVATE}**. They are signed out everywhere; what they saved keeps their name.",
            *leaving,
        ),
        Task("A person asks for their data", Action.MANAGE_PERSONAL_DATA).with_steps(
            f"Open [{personal_data.TITLE}]({paths.ADMIN_PERSONAL_DATA}).",
            f"Enter the address they wrote from, and press **{personal_data.FIND}**.",
            f"Read what is held, press **{personal_data.HTML}**, and send them the file.",
            f"If they want it erased, read what stays and why, then press **{personal_data.ERASE}**.",
        ),
        Task("Turn on two-step sign-in", Action.CHANGE_SIGN_IN).with_steps(
            f"Open [{two_step.TITLE}]({paths.ADMIN_TWO_STEP}).",
            f"Press **{two_step.PASSKEY_CONTINUE}** or, if you prefer a code, **{two_step.APP_CONTINUE}**.",
            "Keep the recovery codes where you can find them without your phone.",
        ),
    )
