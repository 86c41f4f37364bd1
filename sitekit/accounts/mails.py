"""The mails to people with an account, each as text and as HTML."""

from datetime import datetime
from html import escape
from urllib.parse import quote

from ..base import paths
from ..base.db.rate_limits import in_words
from ..base.mail.transport import Message
from ..base.settings import get_settings
from ..base.site import get_site
from .email import email_links
from .throttling import FACTOR_BY_ACCOUNT, SIGN_IN_BY_ACCOUNT

BRAND = get_site().brand
_ROLES = {"employee": "an employee", "manager": "a manager", "admin": "an admin"}
_ASK_US = ("Write to us", BRAND.email_href)


def verification(email: str, token: str) -> Message:
    """The mail that asks to confirm a sign-up.

    It contains no name, because anybody may have typed the name and the address.
    """
    return staff_mail(
        email,
        f"Confirm your email address for {BRAND.name}",
        "",
        [f"Somebody, perhaps you, signed up at {BRAND.name} with this address."],
        ("Confirm my address", _link(paths.AUTH_VERIFY, token)),
        [
            f"We will ask for the password chosen at sign-up. The link works once, for {_life(email_links.VERIFY)}.",
            "If it was not you, ignore this message: nobody can use the account without this link.",
        ],
    )


def already_known(email: str) -> Message:
    """The mail to the owner of an account when somebody signs up with its address again."""
    return staff_mail(
        email,
        f"You already have an account at {BRAND.name}",
        "",
        ["Somebody, perhaps you, tried to sign up with this address. It already has an account."],
        ("Choose a new password", f"{get_settings().public_url}{paths.AUTH_FORGOT}"),
        [
            "If you remember your password, just sign in.",
            "If it was not you, there is nothing to do: nothing about your account has changed.",
        ],
    )


def invitation(email: str, sender: str, role: str, token: str) -> Message:
    """The mail that invites a person to open an account; `sender` is the name of the admin."""
    days = email_links.INVITATION_LIFE.days
    return staff_mail(
        email,
        f"You are invited to {BRAND.name}",
        "",
        [f"{sender} has invited you to the back office of {BRAND.name}, as {_ROLES[role]}."],
        ("Accept the invitation", _link(paths.AUTH_INVITATION, token)),
        [
            f"We will ask for your name and a password or a passkey. The link works once, for {days} days.",
            "Not expecting this? You can ignore it. No account exists until you accept.",
        ],
    )


def invited_already(email: str, first_name: str) -> Message:
    """The mail to the owner of an account whose address an admin has invited."""
    return staff_mail(
        email,
        f"You already have an account at {BRAND.name}",
        first_name,
        ["An admin has invited this address. It already has an account, so there is nothing to accept."],
        ("Sign in", f"{get_settings().public_url}{paths.AUTH}"),
        [
            "If you have forgotten your password, you can choose a new one there.",
            "Nothing about your account has changed.",
        ],
    )


def recovery(email: str, first_name: str, token: str) -> Message:
    """The mail with the link for choosing a new password."""
    return staff_mail(
        email,
        f"Choose a new password for {BRAND.name}",
        first_name,
        ["Somebody, probably you, asked for a new password for your account."],
        ("Choose a new password", recovery_link(token)),
        [
            f"The link works once, for {_life(email_links.RECOVER)}.",
            "If it was not you, ignore this message: nothing has changed.",
        ],
    )


def recovery_by_admin(email: str, first_name: str, token: str) -> Message:
    """The mail with the link for choosing a new password, if an admin sent it."""
    return staff_mail(
        email,
        f"Choose a new password for {BRAND.name}",
        first_name,
        [f"An admin of {BRAND.name} has sent you a link to choose a new password for your account."],
        ("Choose a new password", recovery_link(token)),
        [
            f"The link works once, for {_life(email_links.RECOVER)}.",
            "Until you use it, nothing changes.",
        ],
    )


def locked(email: str, first_name: str) -> Message:
    """The mail to the owner of an account that wrong passwords have locked temporarily."""
    limit = SIGN_IN_BY_ACCOUNT
    wait = in_words(int(limit.within.total_seconds()))
    return staff_mail(
        email,
        f"Wrong passwords for your account at {BRAND.name}",
        first_name,
        [
            f"Somebody entered {limit.most} wrong passwords for your account within {wait}. Nobody has signed in.",
            f"For the next {wait} nobody can sign in to it from a new browser. Browsers in which you have signed in"
            " before go on working.",
        ],
        ("Choose a new password", f"{get_settings().public_url}{paths.AUTH_FORGOT}"),
        ["If it was you, wait, or choose a new password by the link above. If it was not, there is nothing to do."],
    )


def password_changed(email: str, first_name: str) -> Message:
    """The mail to the owner of an account whose password was changed."""
    return _changed(
        email,
        first_name,
        f"Your password for {BRAND.name} has been changed",
        "Your account has just been given a new password, and all other devices are signed out.",
    )


def factor_added(email: str, first_name: str, factor: str) -> Message:
    """The mail to a person who has a new second factor."""
    return _changed(
        email,
        first_name,
        f"A second factor for {BRAND.name} was added",
        f"'{factor}' was added to your account. It can be used for signing in from now on.",
    )


def factor_removed(email: str, first_name: str, factor: str) -> Message:
    """The mail to a person one of whose second factors is removed."""
    return _changed(
        email,
        first_name,
        f"A second factor for {BRAND.name} was removed",
        f"'{factor}' was removed from your account. Nobody can sign in with it any more.",
    )


def factors_reset(email: str, first_name: str) -> Message:
    """The mail to a person whose second factors were removed by a command on the server."""
    return _changed(
        email,
        first_name,
        f"Your second factors for {BRAND.name} were removed",
        "All second factors and recovery codes of your account were removed by those who run the site, and every device"
        " was signed out. Your password is the same; if you have none, choose one at"
        f" {get_settings().public_url}{paths.AUTH_FORGOT}.",
    )


def recovery_codes_made(email: str, first_name: str) -> Message:
    """The mail to a person who has new recovery codes."""
    return _changed(
        email,
        first_name,
        f"New recovery codes for {BRAND.name}",
        "New recovery codes were made for your account. The earlier ones no longer work.",
    )


def recovery_code_used(email: str, first_name: str, left: int) -> Message:
    """The mail to a person with one of whose recovery codes somebody signed in."""
    codes_left = "1 code is left." if left == 1 else f"{left} codes are left." if left else "No code is left."
    return _changed(
        email,
        first_name,
        f"A recovery code for {BRAND.name} was used",
        f"Somebody signed in to your account with your password and a recovery code. {codes_left}",
        f"You can make new ones at {get_settings().public_url}{paths.ADMIN_TWO_STEP}.",
    )


def wrong_codes(email: str, first_name: str) -> Message:
    """The mail to a person whose password was followed by many wrong codes."""
    limit = FACTOR_BY_ACCOUNT
    return _changed(
        email,
        first_name,
        f"Wrong codes for your account at {BRAND.name}",
        f"Somebody who knows your password entered {limit.most} wrong codes within"
        f" {in_words(int(limit.within.total_seconds()))}. Nobody has signed in.",
    )


def _changed(email: str, first_name: str, subject: str, *sentences: str) -> Message:
    """A mail about something that its owner has done, or somebody who has the password."""
    return staff_mail(
        email,
        subject,
        first_name,
        list(sentences),
        ("I did not do this", f"{get_settings().public_url}{paths.AUTH_FORGOT}"),
        ["If it was you, there is nothing to do. If not, choose a new password now by the link above."],
    )


def new_device(email: str, first_name: str, device: str, at: datetime, network: str) -> Message:
    """The mail about a sign-in with a browser that has not signed in to this account before."""
    where = f", from the network {network}" if network else ""
    return staff_mail(
        email,
        f"New sign-in to your account at {BRAND.name}",
        first_name,
        [
            "Somebody has just signed in to your account with a browser that we did not know:"
            f" {device}, at {at:%H:%M} UTC on {at.day} {at:%B %Y}{where}."
        ],
        ("I did not do this", f"{get_settings().public_url}{paths.AUTH_FORGOT}"),
        [
            "If it was you, there is nothing to do. If not, choose a new password now by the link above: that signs"
            " out every device."
        ],
    )


def role_changed(email: str, first_name: str, role: str) -> Message:
    """The mail to a person who has another role."""
    return staff_mail(
        email,
        f"Your role at {BRAND.name} has changed",
        first_name,
        [f"An admin has given you the role {role} in the back office of {BRAND.name}."],
        ("Open the back office", f"{get_settings().public_url}{paths.ADMIN}"),
        ["There is nothing to do. If you did not expect this, ask an admin."],
    )


def deactivated(email: str, first_name: str) -> Message:
    """The mail to a person whose account was deactivated."""
    return staff_mail(
        email,
        f"Your account at {BRAND.name} is deactivated",
        first_name,
        [
            f"An admin has deactivated your account at {BRAND.name}. You are signed out everywhere, and cannot sign in"
            " any more. What you have saved stays."
        ],
        _ASK_US,
        ["If you did not expect this, write to us."],
    )


def reactivated(email: str, first_name: str) -> Message:
    """The mail to a person whose account is active again."""
    return staff_mail(
        email,
        f"Your account at {BRAND.name} is active again",
        first_name,
        ["An admin has reactivated your account. You can sign in as before."],
        ("Sign in", f"{get_settings().public_url}{paths.AUTH}"),
        ["If you have forgotten your password, the sign-in page leads to a new one."],
    )


def email_change(email: str, token: str) -> Message:
    """The mail to a new address, with the link that makes it the account's.

    It contains no name, because the address may be a stranger's.
    """
    return staff_mail(
        email,
        f"Confirm your new email address for {BRAND.name}",
        "",
        [f"Somebody, probably you, wants to use this address for their account at {BRAND.name}."],
        ("Confirm the new address", _link(paths.AUTH_EMAIL, token)),
        [
            f"We will ask for your password or passkey. The link works once, for {_life(email_links.CHANGE)}; until you"
            " confirm, nothing changes.",
            "If it was not you, ignore this message: nobody can use this address without this link.",
        ],
    )


def email_taken(email: str) -> Message:
    """The mail to the owner of an account whose address somebody wanted for another account."""
    return staff_mail(
        email,
        f"You already have an account at {BRAND.name}",
        "",
        ["Somebody, perhaps you, wanted to use this address for another account. It already has an account."],
        ("Sign in", f"{get_settings().public_url}{paths.AUTH}"),
        ["If it was not you, there is nothing to do: nothing about your account has changed."],
    )


def email_change_requested(email: str, first_name: str, new_email: str) -> Message:
    """The mail to the present address when another one was asked for."""
    return staff_mail(
        email,
        f"Your email address for {BRAND.name} is about to change",
        first_name,
        [
            f"Somebody who is signed in, probably you, asked to use {new_email} for your account. It changes"
            " when the link that we sent there is confirmed."
        ],
        ("I did not do this", f"{get_settings().public_url}{paths.AUTH_FORGOT}"),
        [
            "If it was you, there is nothing to do here. If not, choose a new password now by the link above: that"
            " stops the change, and signs out every device."
        ],
    )


def email_changed(email: str, first_name: str, new_email: str) -> Message:
    """The mail to the former address of an account, once it has another one."""
    return staff_mail(
        email,
        f"Your email address for {BRAND.name} has changed",
        first_name,
        [f"Your account at {BRAND.name} now has the address {new_email}. This one is no longer used for it."],
        _ASK_US,
        ["If it was you, there is nothing to do. If not, tell us at once: we can give you your account back."],
    )


def backup_overdue(email: str, first_name: str, made_at: datetime | None) -> Message:
    """The mail to an admin when no backup has been verified for longer than a night; None if there never was one."""
    newest = f"was made at {made_at:%H:%M} UTC on {made_at.day} {made_at:%B %Y}" if made_at else "has yet to be made"
    return staff_mail(
        email,
        f"The backup of {BRAND.name} is overdue",
        first_name,
        [
            f"The newest verified backup of the site {newest}. If the server failed now, every change since then would"
            " be lost."
        ],
        ("Open the dashboard", f"{get_settings().public_url}{paths.ADMIN}"),
        [
            "The log of the backup on the server has the reason; docs/deploy.md describes how to make a backup.",
            "All admins get this mail every day until there is a new backup.",
        ],
    )


def many_erased(email: str, first_name: str, name: str, most: int, things: str) -> Message:
    """The mail to an admin when somebody has deleted more than `most` `things` permanently within a day."""
    before = [f"{name} has deleted more than {most} {things} permanently within a day.", "Only backups have them now."]
    action = ("See the activity", f"{get_settings().public_url}{paths.ADMIN_ACTIVITY}")
    return staff_mail(email, f"Many permanent deletions at {BRAND.name}", first_name, before, action, [])


def _life(purpose: str) -> str:
    return in_words(int(email_links.life_of(purpose).total_seconds()))


def recovery_link(token: str) -> str:
    """The URL for choosing a new password with this secret."""
    return _link(paths.AUTH_RESET, token)


def _link(route: str, token: str) -> str:
    return f"{get_settings().public_url}{route}?token={quote(token)}"


def staff_mail(
    email: str, subject: str, first_name: str, before: list[str], action: tuple[str, str], after: list[str]
) -> Message:
    """A mail to a person with an account, with a greeting by name, and one thing to do between its paragraphs."""
    greeting = f"Hello {first_name}," if first_name else "Hello,"
    label, link = action
    visible_link = link.removeprefix("mailto:")
    signature = (BRAND.legal_name, BRAND.email)
    text = "\n\n".join((greeting, *before, f"{label}:\n{visible_link}", *after, "\n".join(signature)))
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in before)
    small = "".join(f'<p style="color:#4b5a53;font-size:14px">{escape(line)}</p>' for line in after)
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
