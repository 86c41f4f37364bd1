"""The labels and hints of the company form, by the name of the field in the draft."""

from collections.abc import Mapping
from types import MappingProxyType

from ..content.backoffice import LIST_HINT
from ..content.shared import FieldText, GroupText

BASICS = GroupText("The essentials", "Shown in the list of companies, and the address of the page.")
STORY = GroupText("The story", "The description is shown on the card, the detailed one on the company's own page.")
PEOPLE = GroupText("Founders", "In the order shown on the page.")
LISTS = GroupText("What they do", "Each of these is shown as a list.")
REACH = GroupText("Where to find them", "Optional. Empty fields are not shown.")
LEGAL = GroupText("Legal details", "Shown in the facts beside the text.")

FIELDS: Mapping[str, FieldText] = MappingProxyType(
    {
        "name": FieldText("Name"),
        "slug": FieldText(
            "Page address", "The last part of the page's address: lower-case letters, digits and hyphens."
        ),
        "tagline": FieldText("Tagline", "One line below the name."),
        "industry": FieldText("Industry"),
        "status": FieldText("Status", "Only 'Active' is shown to visitors."),
        "founded": FieldText("Founded", "A year, such as 2021."),
        "employees": FieldText("Employees", "A number or a range, such as 11-50."),
        "location": FieldText("Location"),
        "description": FieldText("Description"),
        "detailed_description": FieldText("Detailed description"),
        "services": FieldText("Services", LIST_HINT),
        "coverage_areas": FieldText("Coverage areas", LIST_HINT),
        "target_market": FieldText("Target market", LIST_HINT),
        "key_metrics": FieldText("Key metrics", LIST_HINT),
        "website_url": FieldText("Website", "Beginning with https://"),
        "logo_url": FieldText("Logo", "The address of an image, or a path on this site."),
        "email": FieldText("Email"),
        "phone": FieldText("Phone"),
        "legal_entity_name": FieldText("Legal entity name"),
        "registration_number": FieldText("Registration number"),
    }
)
FOUNDER_FIELDS: Mapping[str, FieldText] = MappingProxyType(
    {
        "name": FieldText("Founder's name"),
        "title": FieldText("Title"),
        "bio": FieldText("Bio"),
    }
)
