"""The legal pages: Privacy Policy and Terms of Service."""

from collections.abc import Sequence

import reflex as rx

from sitekit.base import paths
from sitekit.ui.copy import Link, Passage
from sitekit.ui.public.links import anchor

from .. import routes
from ..components import sections
from ..components.layout import page
from ..content import privacy, terms
from ..content.layout import CONTENTS_LABEL

STORED_ID = "stored"


def privacy_page() -> rx.Component:
    """The Privacy Policy: a table of what is stored, then the text."""
    return page(
        paths.PRIVACY,
        sections.page_head(privacy.HERO, _updated(privacy.LAST_UPDATED)),
        legal_text(
            privacy.PASSAGES,
            stored_data(),
            links=(privacy.OFFICER_LINK, privacy.COMMISSION_LINK),
        ),
    )


def terms_page() -> rx.Component:
    """The Terms of Service."""
    return page(
        routes.TERMS,
        sections.page_head(terms.HERO, _updated(terms.LAST_UPDATED)),
        legal_text(terms.PASSAGES, links=(terms.PRIVACY_LINK, terms.CONTACT_LINK)),
    )


def _updated(line: str) -> rx.Component:
    return rx.el.p(line, class_name="muted")


def legal_text(passages: Sequence[Passage], *first: rx.Component, links: Sequence[Link]) -> rx.Component:
    """The passages, and a sticky table of contents beside them."""
    parts = [(STORED_ID, privacy.STORED_TITLE)] if first else []
    parts += [(passage.anchor, passage.title) for passage in passages if passage.anchor]
    text = rx.el.div(
        *first,
        sections.prose(passages),
        rx.el.ul(*(rx.el.li(anchor(link)) for link in links), class_name="legal-links"),
        class_name="legal-text",
    )
    return sections.section(rx.el.div(_contents(parts), text, class_name="beside"), tone="section-follow")


def _contents(parts: Sequence[tuple[str, str]]) -> rx.Component:
    return rx.el.nav(
        rx.el.ol(*(rx.el.li(rx.el.a(title, href=f"#{part}")) for part, title in parts)),
        class_name="contents section-head",
        aria_label=CONTENTS_LABEL,
    )


def stored_data() -> rx.Component:
    """The table of what is stored; on a narrow screen each row is a list.

    The ARIA roles keep the table's semantics, which CSS `display` removes in that layout.
    """
    columns = (rx.el.th(column, scope="col", role="columnheader") for column in privacy.STORED_COLUMNS)
    return rx.el.div(
        rx.el.h2(privacy.STORED_TITLE, class_name="title-m", id=STORED_ID),
        rx.el.table(
            rx.el.thead(rx.el.tr(*columns, role="row"), role="rowgroup"),
            rx.el.tbody(*map(_stored_row, privacy.STORED), role="rowgroup"),
            class_name="table",
            role="table",
            aria_labelledby=STORED_ID,
        ),
    )


def _stored_row(row: privacy.StoredData) -> rx.Component:
    cells = zip(privacy.STORED_COLUMNS[1:], (row.contents, row.purpose, row.kept), strict=True)
    return rx.el.tr(
        rx.el.th(row.title, scope="row", role="rowheader"),
        *(rx.el.td(text, role="cell", custom_attrs={"data-label": label}) for label, text in cells),
        role="row",
    )
