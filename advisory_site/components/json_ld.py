"""JSON-LD of the firm and its people."""

import re
from collections.abc import Mapping
from typing import Any

from sitekit.base.phone_numbers import dialable
from sitekit.records.pictures.addresses import without_crop
from sitekit.server.seo.meta_tags import JsonLd, PageContext
from sitekit.server.seo.page_graph import PageGraph, absolute

from ..content.firm import FIRM

_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
LANGUAGE = "en-SG"


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
        "inLanguage": LANGUAGE,
        "publisher": {"@id": f"{origin}/#organization"},
    }


PAGE_GRAPH = PageGraph(LANGUAGE, lambda origin: [firm(origin), site(origin)])


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


def year(text: object) -> str:
    """The year in a text such as 'Founded 2018'."""
    match = _YEAR.search(str(text or ""))
    return match[0] if match else ""
