"""The public components of a team member: a card and a profile."""

import reflex as rx

from sitekit.ui.public.links import back_link, current_link

from .. import routes
from ..components import profile
from . import texts
from .fields import MemberCard, MemberPage

CARDS_IN_VIEW = 4


def view_tabs(route: str) -> rx.Component:
    """The links between the views of the team; `route` marks the current one."""
    return rx.el.nav(
        rx.el.ul(*(rx.el.li(current_link(view, route)) for view in texts.VIEWS)),
        class_name="view-tabs",
        aria_label=texts.VIEWS_LABEL,
    )


def member_card(member: MemberCard, index: int) -> rx.Component:
    """One member; the whole card links to the profile."""
    return rx.el.article(
        profile.portrait(member.picture, member.name, is_first=index < CARDS_IN_VIEW),
        rx.el.div(
            rx.el.h3(
                rx.el.a(member.name, href=routes.team_profile_page(member.slug), class_name="card-link"),
                class_name="title-s",
            ),
            rx.cond(member.designation != "", rx.el.p(member.designation, class_name="person-role")),
            rx.el.p(member.bio),
            class_name="person-words",
        ),
        class_name="card person",
    )


def member_profile(member: MemberPage, story: list[str], *more: rx.Component) -> rx.Component:
    """The whole profile, with the member's companies and articles; parts without a value are not shown."""
    return rx.el.div(
        rx.el.p(back_link(texts.BACK)),
        rx.el.div(_side(member), _main(member, story, *more), class_name="profile"),
        class_name="wrap profile-top",
    )


def _side(member: MemberPage) -> rx.Component:
    linkedin = profile.web_link(member.linkedin_url, member.name)
    return rx.el.div(
        profile.portrait(member.picture, member.name, places=profile.PAGE_WIDTHS, is_first=True, priority="high"),
        rx.el.aside(
            profile.facts(
                profile.fact(texts.EMAIL_LABEL, member.email, profile.mail_link(member.email)),
                profile.fact(texts.LINKEDIN_LABEL, member.linkedin_url, linkedin),
            ),
            class_name="profile-facts",
            aria_label=texts.CONTACT_TITLE,
        ),
        class_name="profile-side",
    )


def _main(member: MemberPage, story: list[str], *more: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.header(
            rx.el.h1(member.name, class_name="title-l"),
            rx.cond(member.designation != "", rx.el.p(member.designation, class_name="person-role")),
            rx.cond(member.bio != "", rx.el.p(member.bio, class_name="lead")),
            class_name="profile-head",
        ),
        profile.part(texts.DETAILED_BIO_TITLE, profile.prose(story), when=profile.has_items(story)),
        *more,
        profile.part(
            texts.ACHIEVEMENTS_TITLE, profile.ticks(member.achievements), when=profile.has_items(member.achievements)
        ),
        profile.part(texts.EXPERTISE_TITLE, profile.tags(member.expertise), when=profile.has_items(member.expertise)),
        class_name="profile-main",
    )
