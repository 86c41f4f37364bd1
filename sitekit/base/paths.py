"""The paths that every site has: its home page, its sign-in pages, and its back office."""

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlencode

HOME = "/"
PRIVACY = "/privacy"
AUTH = "/auth"
AUTH_FORGOT = "/auth/forgot"
AUTH_RESET = "/auth/reset"
AUTH_VERIFY = "/auth/verify"
AUTH_INVITATION = "/auth/invitation"
AUTH_EMAIL = "/auth/email"
ADMIN = "/admin"
ADMIN_EXPORT = "/admin/export"
ADMIN_MEDIA = "/admin/media"
ADMIN_UPLOAD = "/admin/media/upload"
ADMIN_HELP = "/admin/help"
ADMIN_HISTORY = "/admin/history/[table]/[record]"
ADMIN_TEXTS = "/admin/texts"
ADMIN_PAGE_TEXTS = "/admin/texts/page"
ADMIN_TEXT_IMPORT = "/admin/texts/import"
ADMIN_TRASH = "/admin/trash"
ADMIN_ACTIVITY = "/admin/activity"
ADMIN_INVITATIONS = "/admin/invitations"
ADMIN_PERSON = "/admin/users/[id]"
ADMIN_PERSONAL_DATA = "/admin/personal-data"
ADMIN_PROFILE = "/admin/profile"
ADMIN_SETTINGS = "/admin/settings"
ADMIN_TWO_STEP = "/admin/two-step"
ADMIN_PREVIEW = "/admin/preview/[id]"
# The folder of the links to previews: what follows is a secret.
PREVIEW = "/preview/"
# The fragment of a filtered list, so that a choice does not lead back to the top of the page.
LIST = "list"
# What is shown in place of a picture that is missing.
PLACEHOLDER_PERSON = "/images/placeholder-person.svg"
# The back office: neither rendered for visitors nor shown to search engines.
PRIVATE = (AUTH, ADMIN)
# Home with a notice; shown after an email address has been confirmed.
CONFIRMED = "email=confirmed"
HOME_CONFIRMED = f"{HOME}?{CONFIRMED}"


def admin_tab(tab: str, parameters: Mapping[str, str] = MappingProxyType({})) -> str:
    """The address of a back-office tab with its list parameters."""
    return f"{ADMIN}?{urlencode({'tab': tab, **parameters})}"


def person_page(user_id: str | int) -> str:
    """What admins see of one user; takes a string or a Reflex var."""
    return f"/admin/users/{user_id}"


def picture_page(picture: str | int) -> str:
    """The dialog of one uploaded picture, on the page of all; takes a string or a Reflex var."""
    return f"{ADMIN_MEDIA}?open={picture}"


def preview_page(draft: str | int) -> str:
    """What staff see of a draft before it is published; takes a string or a Reflex var."""
    return f"/admin/preview/{draft}"


def history_page(table: str, record: str | int) -> str:
    """The history of one record; takes strings or Reflex vars."""
    return f"/admin/history/{table}/{record}"


def page_texts(path: str) -> str:
    """The texts of the public page at a path."""
    return f"{ADMIN_PAGE_TEXTS}?{urlencode({'at': path})}"


def text_edit_page(text_id: str | int) -> str:
    """The form of one text, beside its page."""
    return f"{ADMIN_PAGE_TEXTS}?{urlencode({'edit': str(text_id)})}"
