"""The mails to people with an account, each as text and as HTML: a table of their texts, and one layout."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from urllib.parse import quote

from ..base import paths
from ..base.db.rate_limits import in_words
from ..base.mail.transport import Message
from ..base.settings import get_settings
from ..base.site import get_site
from .email import email_links
from .models import LinkPurpose
from .throttling import FACTOR_BY_ACCOUNT, SIGN_IN_BY_ACCOUNT

BRAND = get_site().brand
_SMALL = "color:#4b5a53;font-size:14px;white-space:pre-line"  # line breaks of typed texts
_ROLES = {"employee": "an employee", "manager": "a manager", "admin": "an admin"}


@dataclass(frozen=True)
class StaffMail:
    """The texts of a mail: paragraphs `before` and `after` the link of its `action`, which has a label.

    A call writes it to an address, with a greeting by `first_name`; `facts` fill the braces of the texts. `{firm}` and
    `{site}`, the address of the site, are known; a `token` is quoted. Raises `KeyError` for a missing fact.
    """

    subject: str
    before: tuple[str, ...]
    action: tuple[str, str]
    after: tuple[str, ...] = ()

    def __call__(self, email: str, first_name: str = "", *, token: str = "", **facts: object) -> Message:
        known = {"firm": BRAND.name, "site": get_settings().public_url, "token": quote(token), **facts}
        label, link = self.action
        before, after = ([text.format(**known) for text in texts] for texts in (self.before, self.after))
        return _message(email, self.subject.format(**known), first_name, before, (label, link.format(**known)), after)


def _in_words(period: timedelta) -> str:
    return in_words(int(period.total_seconds()))


def _life(purpose: LinkPurpose) -> str:
    return _in_words(email_links.life_of(purpose))


def _secret_link(route: str) -> str:
    return f"{{site}}{route}?token={{token}}"


_SIGN_IN_PERIOD = _in_words(SIGN_IN_BY_ACCOUNT.within)
_RESET_LINK = _secret_link(paths.AUTH_RESET)
_ASK_US = ("Write to us", BRAND.email_href)
_CHOOSE_PASSWORD = ("Choose a new password", f"{{site}}{paths.AUTH_FORGOT}")
_SIGN_IN = ("Sign in", f"{{site}}{paths.AUTH}")
_NOT_ME = ("I did not do this", f"{{site}}{paths.AUTH_FORGOT}")
_IF_IT_WAS_NOT_YOU = ("If it was you, there is nothing to do. If not, choose a new password now with the link above.",)
_NOTHING_CHANGED = "If it was not you, there is nothing to do: nothing about your account has changed."
_HAS_ACCOUNT = "You already have an account at {firm}"


# A mail to an address that may belong to a stranger has no name in its greeting, because anybody may have typed it.
# An invitation has the name that an admin typed.
VERIFICATION = StaffMail(
    "Confirm your email address for {firm}",
    ("Someone, perhaps you, signed up at {firm} with this address.",),
    ("Confirm my address", _secret_link(paths.AUTH_VERIFY)),
    (
        f"We will ask for the password chosen at sign-up. The link works once, within {_life(LinkPurpose.VERIFY)}.",
        "If it was not you, ignore this message: nobody can use the account without this link.",
    ),
)
# For the owner of an account, when somebody signs up with its address again.
ALREADY_KNOWN = StaffMail(
    _HAS_ACCOUNT,
    ("Someone, perhaps you, tried to sign up with this address. It already has an account.",),
    _CHOOSE_PASSWORD,
    ("If you remember your password, just sign in.", _NOTHING_CHANGED),
)
_NAMELESS = "An admin"
_INVITATION = StaffMail(
    "You are invited to {firm}",
    ("{sender} has invited you to the back office of {firm}, as {role}.",),
    ("Accept the invitation", _secret_link(paths.AUTH_INVITATION)),
    (
        "We will ask for your name and a password or a passkey. The link works once, within"
        f" {email_links.INVITATION_LIFE.days} days.",
        "Not expecting this? You can ignore it. No account exists until you accept.",
    ),
)
INVITED_ALREADY = StaffMail(
    _HAS_ACCOUNT,
    ("An admin has invited this address. It already has an account, so there is nothing to accept.",),
    _SIGN_IN,
    (
        "If you have forgotten your password, you can choose a new one there.",
        "Nothing about your account has changed.",
    ),
)
RECOVERY = StaffMail(
    "Choose a new password for {firm}",
    ("Someone, probably you, asked for a new password for your account.",),
    ("Choose a new password", _RESET_LINK),
    (
        f"The link works once, within {_life(LinkPurpose.RECOVER)}.",
        "If it was not you, ignore this message: nothing has changed.",
    ),
)
RECOVERY_BY_ADMIN = StaffMail(
    "Choose a new password for {firm}",
    ("An admin of {firm} has sent you a link to choose a new password for your account.",),
    ("Choose a new password", _RESET_LINK),
    (
        f"The link works once, within {_life(LinkPurpose.RECOVER)}.",
        "Until you use it, nothing changes.",
    ),
)
LOCKED = StaffMail(
    "Wrong passwords for your account at {firm}",
    (
        f"Someone entered {SIGN_IN_BY_ACCOUNT.most} wrong passwords for your account within"
        f" {_SIGN_IN_PERIOD}. Nobody has signed in.",
        f"For the next {_SIGN_IN_PERIOD} nobody can sign in to it from a new browser. Browsers that you"
        " have signed in with before keep working.",
    ),
    _CHOOSE_PASSWORD,
    ("If it was you, wait, or choose a new password with the link above. If it was not, there is nothing to do.",),
)
PASSWORD_CHANGED = StaffMail(
    "Your password for {firm} has been changed",
    ("Your account has just been given a new password, and all other devices are signed out.",),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
FACTOR_ADDED = StaffMail(
    "New second step for your account at {firm}",
    ("“{factor}” was added to your account. It can now be used to sign in.",),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
FACTOR_REMOVED = StaffMail(
    "Second step removed from your account at {firm}",
    ("“{factor}” was removed from your account. It can no longer be used to sign in.",),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
# Sent when a command on the server has removed the second factors.
FACTORS_RESET = StaffMail(
    "Second steps removed from your account at {firm}",
    (
        "Those who run the site removed all second steps and recovery codes from your account, and signed out every"
        f" device. Your password is the same; if you have none, choose one at {{site}}{paths.AUTH_FORGOT}.",
    ),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
RECOVERY_CODES_MADE = StaffMail(
    "New recovery codes for {firm}",
    ("New recovery codes were made for your account. The earlier ones no longer work.",),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
_RECOVERY_CODE_USED = StaffMail(
    "A recovery code for {firm} was used",
    (
        "Someone signed in to your account with your password and a recovery code. {codes_left}",
        f"You can make new ones at {{site}}{paths.ADMIN_TWO_STEP}.",
    ),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
WRONG_CODES = StaffMail(
    "Wrong codes for your account at {firm}",
    (
        f"Someone who knows your password entered {FACTOR_BY_ACCOUNT.most} wrong codes within"
        f" {_in_words(FACTOR_BY_ACCOUNT.within)}. Nobody has signed in.",
    ),
    _NOT_ME,
    _IF_IT_WAS_NOT_YOU,
)
_NEW_DEVICE = StaffMail(
    "New sign-in to your account at {firm}",
    ("Someone has just signed in to your account with a browser we did not recognise: {device}, at {at}{where}.",),
    _NOT_ME,
    (
        "If it was you, there is nothing to do. If not, choose a new password now with the link above: that signs"
        " out every device.",
    ),
)
ROLE_CHANGED = StaffMail(
    "Your role at {firm} has changed",
    ("An admin has given you the role {role} in the back office of {firm}.",),
    ("Open the back office", f"{{site}}{paths.ADMIN}"),
    ("There is nothing to do. If you did not expect this, ask an admin.",),
)
DEACTIVATED = StaffMail(
    "Your account at {firm} is deactivated",
    (
        "An admin has deactivated your account at {firm}. You are signed out everywhere, and cannot sign in any more."
        " What you have saved stays.",
    ),
    _ASK_US,
    ("If you did not expect this, write to us.",),
)
REACTIVATED = StaffMail(
    "Your account at {firm} is active again",
    ("An admin has reactivated your account. You can sign in as before.",),
    _SIGN_IN,
    ("If you have forgotten your password, you can choose a new one on the sign-in page.",),
)
EMAIL_CHANGE = StaffMail(
    "Confirm your new email address for {firm}",
    ("Someone, probably you, wants to use this address for their account at {firm}.",),
    ("Confirm the new address", _secret_link(paths.AUTH_EMAIL)),
    (
        "We will ask for your password or passkey."
        f" The link works once, within {_life(LinkPurpose.CHANGE_EMAIL)}; until you confirm, nothing changes.",
        "If it was not you, ignore this message: nobody can use this address without this link.",
    ),
)
# For the owner of an account, when somebody wants its address for another account.
EMAIL_TAKEN = StaffMail(
    _HAS_ACCOUNT,
    ("Someone, perhaps you, wanted to use this address for another account. It already has an account.",),
    _SIGN_IN,
    (_NOTHING_CHANGED,),
)
# Sent to the present address when a change to another one is requested.
EMAIL_CHANGE_REQUESTED = StaffMail(
    "Your email address for {firm} is about to change",
    (
        "Someone who is signed in, probably you, asked to use {new_email} for your account. It changes when the link"
        " that we sent there is confirmed.",
    ),
    _NOT_ME,
    (
        "If it was you, there is nothing to do here. If not, choose a new password now with the link above: that stops"
        " the change, and signs out every device.",
    ),
)
# Sent to the former address.
EMAIL_CHANGED = StaffMail(
    "Your email address for {firm} has changed",
    ("Your account at {firm} now has the address {new_email}. This one is no longer used for it.",),
    _ASK_US,
    ("If it was you, there is nothing to do. If not, tell us at once: we can give you your account back.",),
)
_BACKUP_OVERDUE = StaffMail(
    "The backup of {firm} is overdue",
    (
        "The newest verified backup of the site {newest}. If the server failed now, every change since then would be"
        " lost.",
    ),
    ("Open the dashboard", f"{{site}}{paths.ADMIN}"),
    (
        "The log of the backup on the server has the reason; docs/deploy.md describes how to make a backup.",
        "All admins get this email every day until there is a new backup.",
    ),
)
# For the author of a draft that somebody else has published, or scheduled.
DRAFT_PUBLISHED = StaffMail(
    "{who} {did} your draft of {name}",
    ("{who} {did} the draft of {name} that you worked on.{when}",),
    ("See what it changes", "{site}{page}"),
)
# For admins, when somebody has deleted more than `most` of these `things` permanently within a day.
MANY_ERASED = StaffMail(
    "Many permanent deletions at {firm}",
    ("{name} has deleted more than {most} {things} permanently within a day.", "They are now only in backups."),
    ("See the activity", f"{{site}}{paths.ADMIN_ACTIVITY}"),
)


def invitation(email: str, sender: str, role: str, token: str, first_name: str = "") -> Message:
    """The mail that invites a person to open an account; `sender` is the name of the admin, if they have one."""
    return _INVITATION(email, first_name, sender=sender or _NAMELESS, role=_ROLES[role], token=token)


def recovery_code_used(email: str, first_name: str, left: int) -> Message:
    """The mail to a person with one of whose recovery codes somebody signed in."""
    codes_left = "1 code is left." if left == 1 else f"{left} codes are left." if left else "No code is left."
    return _RECOVERY_CODE_USED(email, first_name, codes_left=codes_left)


def new_device(email: str, first_name: str, device: str, at: datetime, network: str) -> Message:
    """The mail about a sign-in with a browser that has not signed in to this account before."""
    where = f", from the network {network}" if network else ""
    return _NEW_DEVICE(email, first_name, device=device, at=_time(at), where=where)


def backup_overdue(email: str, first_name: str, made_at: datetime | None) -> Message:
    """The mail to an admin when no backup has been verified for longer than a night; None if there never was one."""
    newest = f"was made at {_time(made_at)}" if made_at else "has yet to be made"
    return _BACKUP_OVERDUE(email, first_name, newest=newest)


def _time(at: datetime) -> str:
    return f"{at:%H:%M} UTC on {at.day} {at:%B %Y}"


def recovery_link(token: str) -> str:
    """The URL for choosing a new password with this secret."""
    return _RESET_LINK.format(site=get_settings().public_url, token=quote(token))


def _message(
    email: str, subject: str, first_name: str, before: list[str], action: tuple[str, str], after: list[str]
) -> Message:
    greeting = f"Hello {first_name}," if first_name else "Hello,"
    label, link = action
    visible_link = link.removeprefix("mailto:")
    signature = (BRAND.legal_name, BRAND.email)
    text = "\n\n".join((greeting, *before, f"{label}:\n{visible_link}", *after, "\n".join(signature)))
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in before)
    small = "".join(f'<p style="{_SMALL}">{escape(line)}</p>' for line in after)
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(subject)}</title></head>"
        '<body style="margin:0;background:#fbfaf6;color:#13211c;font:17px/1.5 Georgia,serif">'
        '<div style="max-width:34em;margin:0 auto;padding:32px 24px">'
        f"<p>{escape(greeting)}</p>{paragraphs}"
        f'<p style="margin:28px 0"><a href="{escape(link)}" style="background:#0b5d4b;color:#ffffff;'
        f'padding:12px 20px;border-radius:6px;text-decoration:none">{escape(label)}</a></p>'
        f'<p style="font-size:14px;word-break:break-all">{escape(visible_link)}</p>{small}'
        f'<p style="color:#4b5a53;font-size:14px">{"<br>".join(map(escape, signature))}</p></div></body></html>'
    )
    return Message(to=email, subject=subject, text=text, html=html, is_automatic=True)
