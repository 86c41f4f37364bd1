"""JSON-LD of the firm, its pages and the people on them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sitekit.base import paths
from sitekit.base.phone_numbers import dialable
from sitekit.records.pictures.addresses import without_crop
from sitekit.server.seo.meta_tags import JsonLd, PageContext, PageMeta

from ..content.firm import FIRM

_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
Step = tuple[str, str]


def firm(origin: str) -> JsonLd:
    """The organization behind the site."""
    return {
        "@type": "Organization",
        "@id": f"{origin}/#organization",
        "name": FIRM.name,
        "legalName": FIRM.legal_name,
        "url": f"{origin}/",
        "logo": f"{origin}/icons/icon-512.png",
        "image": f"{origin}/images/og.png",
        "slogan": FIRM.tagline,
        "email": FIRM.email,
        "telephone": dialable(FIRM.phone),
        "identifier": registration(FIRM.registration_number),
        "address": {
            "@type": "PostalAddress",
            "streetAddress": FIRM.address,
            "addressLocality": FIRM.location,
            "addressCountry": "SG",
        },
        "founder": {"@type": "Person", "name": FIRM.founder_name, "jobTitle": FIRM.founder_title},
        "sameAs": [FIRM.linkedin_url, FIRM.x_url],
    }


def registration(number: str) -> JsonLd:
    """A business registration number as an identifier."""
    return {"@type": "PropertyValue", "name": "Business registration number", "value": number} if number else {}


def site(origin: str) -> JsonLd:
    """The website."""
    return {
        "@type": "WebSite",
        "@id": f"{origin}/#website",
        "url": f"{origin}/",
        "name": FIRM.name,
        "inLanguage": "en-SG",
        "publisher": {"@id": f"{origin}/#organization"},
    }


def home(context: PageContext) -> PageMeta:
    """The JSON-LD of Home, which describes the firm."""
    about = f"{context.origin}/#organization"
    return PageMeta(graph=[firm(context.origin), site(context.origin), _page(context, "WebPage", about)])


def fixed_page(name: str, page_type: str = "WebPage") -> Any:
    """The meta of a page without records; `name` is its name in the breadcrumbs."""

    def meta(context: PageContext) -> PageMeta:
        return PageMeta(graph=[_page(context, page_type), *_breadcrumbs(context, (name, context.path))])

    return meta


def collection(context: PageContext, name: str, items: Sequence[tuple[str, str]]) -> PageMeta:
    """The meta of a page that lists records, given as (name, path) pairs."""
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
    graph = [_page(context, "CollectionPage", about), entries, *_breadcrumbs(context, (name, context.path))]
    return PageMeta(graph=graph)


def profile(context: PageContext, thing: JsonLd, *before: Step) -> PageMeta:
    """The meta of a page about one record; `before` are the breadcrumbs between Home and it."""
    about = f"{context.url}#{thing['@type'].lower()}"
    page_type = "ProfilePage" if thing["@type"] == "Person" else "WebPage"
    image = str(thing.get("image") or thing.get("logo") or "").removeprefix(context.origin)
    return PageMeta(
        kind="profile" if page_type == "ProfilePage" else "website",
        image=image,
        graph=[
            _page(context, page_type, about),
            {**thing, "@id": about},
            *_breadcrumbs(context, *before, (thing["name"], context.path)),
        ],
    )


def person(context: PageContext, record: Mapping[str, Any]) -> JsonLd:
    """The properties that members and advisors share."""
    return {
        "@type": "Person",
        "name": record.get("name", ""),
        "url": context.url,
        "description": record.get("bio"),
        "image": absolute(context.origin, without_crop(record.get("image_url") or "")),
        "email": record.get("email"),
        "knowsAbout": record.get("expertise"),
        "sameAs": record.get("linkedin_url"),
    }


def absolute(origin: str, address: object) -> str:
    """The absolute URL of an image; a path gets this site's origin."""
    text = str(address or "")
    return origin + text if text.startswith("/") else text


def year(text: object) -> str:
    """The year in a text such as 'Founded 2018'."""
    match = _YEAR.search(str(text or ""))
    return match[0] if match else ""


def _page(context: PageContext, page_type: str, about: str = "") -> JsonLd:
    return {
        "@type": page_type,
        "@id": context.url,
        "url": context.url,
        "name": context.title,
        "description": context.description,
        "inLanguage": "en-SG",
        "isPartOf": {"@id": f"{context.origin}/#website"},
        "mainEntity": {"@id": about} if about else "",
    }


def _breadcrumbs(context: PageContext, *steps: Step) -> list[JsonLd]:
    """The JSON-LD of a page's breadcrumbs, starting at Home."""
    way = [("Home", paths.HOME), *steps]
    trail = {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": context.origin + path}
            for position, (name, path) in enumerate(way, start=1)
        ],
    }
    return [trail, firm(context.origin), site(context.origin)]
