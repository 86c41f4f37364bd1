"""Headings, badges and links of the back office: plain elements, which need no behaviour of Chakra."""

from collections.abc import Callable
from typing import Any, Literal, Self

import reflex as rx


class StaffLink(rx.Component):
    """A link to a path of the site, plain or var, that navigates without a reload."""

    library, tag, alias = "react-router", "Link", "RouterLink"
    to: rx.Var[str]
    title: rx.Var[str]

    @classmethod
    def create(cls, *children: Any, href: Any = "", class_name: str = "", **props: Any) -> Self:
        """The link; it is underlined under the pointer only."""
        return super().create(*children, to=href, class_name=_classes("link", class_name), **props)


link = StaffLink.create


def heading(*content: Any, level: str, size: Literal["sm", "md", "lg"], **props: Any) -> rx.Component:
    """A heading of a level, such as "h2"; how large it looks is independent of that."""
    element: Callable[..., rx.Component] = getattr(rx.el, level)
    return element(*content, class_name=_classes(f"heading heading-{size}", props.pop("class_name", "")), **props)


def badge(*content: Any, variant: Any = "subtle", class_name: str = "") -> rx.Component:
    """A short word in a frame: `subtle`, `solid` or `outline`, the most prominent."""
    return rx.el.span(*content, class_name=_classes("badge", class_name), custom_attrs={"data-variant": variant})


def _classes(own: str, more: str) -> str:
    return f"{own} {more}".strip()
