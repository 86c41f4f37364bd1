"""The page that imports team members from a CSV file."""

from typing import ClassVar

import reflex as rx

from ..backoffice.import_page import import_page
from ..backoffice.import_state import ImportState
from ..content import csv_texts
from .service import MEMBERS


class MemberImportState(ImportState, rx.State):
    """The state of the page."""

    kind: ClassVar = MEMBERS


def team_import_page() -> rx.Component:
    """The page."""
    return import_page(MemberImportState, csv_texts.IMPORT_MEMBERS, csv_texts.MEMBERS_BACK)
