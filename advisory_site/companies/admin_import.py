"""The page that imports companies from a CSV file."""

from typing import ClassVar

import reflex as rx

from ..backoffice.import_page import import_page
from ..backoffice.import_state import ImportState
from ..content import backoffice, csv_texts
from .service import COMPANIES


class CompanyImportState(ImportState, rx.State):
    """The state of the page."""

    kind: ClassVar = COMPANIES


def companies_import_page() -> rx.Component:
    """The page."""
    return import_page(CompanyImportState, csv_texts.IMPORT_COMPANIES, backoffice.COMPANY_BACK)
