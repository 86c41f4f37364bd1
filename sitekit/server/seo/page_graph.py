"""JSON-LD of pages: what kind of page it is, what it is about, and its breadcrumbs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...base import paths
from .meta_tags import JsonLd, PageContext, PageMeta, PageMetaBuilder

Step = tuple[str, str]  # name and path


@dataclass(frozen=True)
class PageGraph:
    """The JSON-LD that all pages of a site have.

    `language` is that of the pages; `publisher` describes, for an origin, the organization and the website, whose ids
    are `ORIGIN/#organization` and `ORIGIN/#website`.
    """

    language: str
    publisher: Callable[[str], list[JsonLd]]

    def home(self, context: PageContext) -> PageMeta:
        """The meta of Home, which describes the organization."""
        page = self._page(context, "WebPage", f"{context.origin}/#organization")
        return PageMeta(graph=[*self.publisher(context.origin), page])

    def fixed_page(self, name: str, page_type: str = "WebPage") -> PageMetaBuilder:
        """The meta of a page without records; `name` is its name in the breadcrumbs."""

        def meta(context: PageContext) -> PageMeta:
            return PageMeta(graph=[self._page(context, page_type), *self._breadcrumbs(context, (name, context.path))])

        return meta

    def collection(self, context: PageContext, name: str, items: Sequence[Step]) -> PageMeta:
        """The meta of a page that lists records."""
        about = f"{context.url}#list"
        entries = {
            "@type": "ItemList",
            "@id": about,
            "numberOfItems": len(items),
            "itemListElement": [
                {"@type": "ListItem", "position": position, "name": title, "url": context.origin + path}
                for position, (title, path) in enumerate(items, start=1)
            ],
        }
        page = self._page(context, "CollectionPage", about)
        return PageMeta(graph=[page, entries, *self._breadcrumbs(context, (name, context.path))])

    def profile(self, context: PageContext, thing: JsonLd, *before: Step) -> PageMeta:
        """The meta of a page about one record; `before` are the breadcrumbs between Home and it."""
        about = f"{context.url}#{thing['@type'].lower()}"
        page_type = "ProfilePage" if thing["@type"] == "Person" else "WebPage"
        return PageMeta(
            kind="profile" if page_type == "ProfilePage" else "website",
            image=str(thing.get("image") or thing.get("logo") or "").removeprefix(context.origin),
            graph=[
                self._page(context, page_type, about),
                {**thing, "@id": about},
                *self._breadcrumbs(context, *before, (thing["name"], context.path)),
            ],
        )

    def _page(self, context: PageContext, page_type: str, about: str = "") -> JsonLd:
        return {
            "@type": page_type,
            "@id": context.url,
            "url": context.url,
            "name": context.title,
            "description": context.description,
            "inLanguage": self.language,
            "isPartOf": {"@id": f"{context.origin}/#website"},
            "mainEntity": {"@id": about} if about else "",
        }

    def _breadcrumbs(self, context: PageContext, *steps: Step) -> list[JsonLd]:
        """The breadcrumbs of a page, which begin at Home, and the publisher."""
        trail = {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": position, "name": name, "item": context.origin + path}
                for position, (name, path) in enumerate([("Home", paths.HOME), *steps], start=1)
            ],
        }
        return [trail, *self.publisher(context.origin)]


def absolute(origin: str, address: object) -> str:
    """The absolute URL of an image; a path gets this site's origin."""
    text = str(address or "")
    return origin + text if text.startswith("/") else text
