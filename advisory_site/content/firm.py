"""The firm's facts: name, contacts, registration, links."""

from dataclasses import dataclass

from sitekit.base.phone_numbers import dialable
from sitekit.base.site import Brand


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm(Brand):
    """The firm's names and contacts, used by every page and mail."""

    tagline: str
    phone: str
    registration_number: str
    location: str
    address: str
    office_hours: str
    call_booking_url: str
    linkedin_url: str
    x_url: str
    founder_name: str
    founder_title: str
    founder_email: str
    founder_phone: str
    privacy_email: str
    closed_days: tuple[str, ...]  # ISO dates, beside weekends and public holidays

    @property
    def phone_href(self) -> str:
        """The general number as a link."""
        return f"tel:{dialable(self.phone)}"

    @property
    def founder_email_href(self) -> str:
        """The founder's address as a link."""
        return f"mailto:{self.founder_email}"

    @property
    def founder_phone_href(self) -> str:
        """The founder's number as a link."""
        return f"tel:{dialable(self.founder_phone)}"

    @property
    def privacy_email_href(self) -> str:
        """The Data Protection Officer's address as a link."""
        return f"mailto:{self.privacy_email}"

    @property
    def copyright_line(self) -> str:
        """The copyright line of every page; without a year, so that it need not be updated."""
        return f"© {self.legal_name} Business registration number (UEN) {self.registration_number}."


FIRM = Firm(
    name="Northstrait",
    legal_name="Northstrait Advisory Pte. Ltd.",
    domain="northstrait.example",
    tagline="Senior counsel and working hands for founders past their first customers.",
    email="hello@northstrait.example",
    phone="+65 6123 4567",
    registration_number="202014387K",
    location="Singapore",
    address="21 Lantern Street, #04-02, Singapore 069999",
    office_hours="Monday to Friday, 9:00 to 18:00 (SGT)",
    call_booking_url="https://calls.northstrait.example/discovery-30",
    linkedin_url="https://www.linkedin.com/company/northstrait-example",
    x_url="https://x.com/northstrait_eg",
    founder_name="Adeline Koh",
    founder_title="Founder & Managing Partner",
    founder_email="adeline@northstrait.example",
    founder_phone="+65 6123 4568",
    privacy_email="privacy@northstrait.example",
    closed_days=("2026-12-24", "2026-12-31"),
)
