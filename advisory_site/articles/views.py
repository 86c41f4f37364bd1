"""The public components of articles: in the list, on other pages, and whole."""

from typing import Any

import reflex as rx

from sitekit.ui.browser import Places, shown_picture
from sitekit.ui.public.links import back_link

from .. import routes
from ..components import profile
from . import texts
from .fields import ArticleCard, ArticlePage, Author
from .models import TEXT_LOOK

COLUMN: Places = (("(min-width: 48rem)", "44rem"), ("", "100vw"))


def insight(article: ArticleCard) -> rx.Component:
    """One article of the list; all of it links to the article."""
    return rx.el.article(
        rx.el.p(rx.cond(article.case_of != "", f"{texts.CASE_LABEL} · ", ""), _day(article), class_name="insight-date"),
        rx.el.div(
            rx.el.h3(
                rx.el.a(article.name, href=routes.article_page(article.slug), class_name="card-link"),
                class_name="title-m",
            ),
            rx.el.p(article.summary, class_name="lead"),
            rx.el.p(
                rx.cond(article.author_name != "", f"{texts.BY} {article.author_name} · ", ""),
                article.minutes,
                f" {texts.MINUTES}",
                class_name="muted",
            ),
        ),
        class_name="insight",
    )


def article_rows(articles: Any) -> rx.Component:
    """Articles by title and date, each a link."""

    def row(article: ArticleCard) -> rx.Component:
        return profile.row(article.name, _day(article), routes.article_page(article.slug))

    return rx.el.ul(rx.foreach(articles, row), class_name="rows article-rows")


def article_view(state: Any, case: rx.Component) -> rx.Component:
    """The whole article, of the vars of its page's state; parts without a value are not shown."""
    article = state.article
    label = rx.cond(article.case_of != "", texts.NEXT_CASE, texts.A_CASE)
    return rx.el.div(
        rx.el.p(back_link(texts.BACK)),
        rx.el.article(
            rx.el.header(
                rx.el.h1(article.name, class_name="title-l"),
                rx.cond(article.summary != "", rx.el.p(article.summary, class_name="lead")),
                _byline(article, state.author, state.update),
                rx.cond(
                    profile.has_items(state.topics),
                    rx.el.ul(
                        rx.foreach(state.topics, lambda topic: profile.linked_tag(topic[0], topic[1])),
                        class_name="tags",
                        aria_label=texts.TOPICS_LABEL,
                    ),
                ),
                class_name="profile-head",
            ),
            rx.cond(article.cover.image_url != "", _cover(article)),
            case,
            rx.cond(state.age != "", rx.el.p(state.age, class_name="article-age")),
            rx.html(state.html, class_name=TEXT_LOOK),
            _end(state),
            class_name="profile article",
        ),
        rx.cond(
            state.next_case.slug != "",
            rx.el.nav(
                profile.sibling(label, state.next_case.name, routes.article_page(state.next_case.slug)),
                class_name="siblings",
                aria_label=label,
            ),
        ),
        class_name="wrap profile-top",
    )


def _byline(article: ArticlePage, author: Author, update: str) -> rx.Component:
    """Who wrote it, with portrait and link as long as visitors see them, when, and how long it takes to read."""
    face = profile.face(author.picture, size=(48, 60), places=(("", "3rem"),), loading="lazy")
    return rx.el.div(
        rx.cond(author.slug != "", face),
        rx.el.div(
            rx.cond(
                author.name != "",
                rx.el.p(
                    rx.cond(author.slug != "", rx.el.a(author.name, href=author.page), author.name),
                    rx.cond(author.role != "", rx.el.span(f", {author.role}", class_name="muted")),
                ),
            ),
            rx.el.p(
                _day(article),
                rx.cond(update != "", f" · {update}", ""),
                " · ",
                article.minutes,
                f" {texts.MINUTES}",
                class_name="muted",
            ),
        ),
        class_name="byline",
    )


def _day(article: ArticleCard) -> rx.Component:
    return rx.el.time(article.written_on, date_time=article.iso_date)


def _cover(article: ArticlePage) -> rx.Component:
    cover = article.cover
    return shown_picture(
        cover,
        alt=cover.alt,
        size=(1280, 560),
        places=COLUMN,
        loading="eager",
        fetch_priority="high",
        class_name="cover",
    )


def _end(state: Any) -> rx.Component:
    """The companies it speaks of, and the author's other articles."""
    companies = rx.foreach(state.companies, lambda one: profile.linked_tag(one.name, routes.company_page(one.slug)))
    return rx.el.div(
        profile.part(
            texts.COMPANIES_TITLE, rx.el.ul(companies, class_name="tags"), when=profile.has_items(state.companies)
        ),
        profile.part(texts.OTHERS_TITLE, article_rows(state.others), when=profile.has_items(state.others)),
        class_name="article-end",
    )
