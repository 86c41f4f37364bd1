"""The page that imports advisors from a CSV file."""

from typing import ClassVar

import reflex as rx

from ..backoffice.import_page import import_page
from ..backoffice.import_state import ImportState
from ..content import csv_texts
from . import admin_texts
from .service import ADVISORS


class AdvisorImportState(ImportState, rx.State):
    """The state of the page."""

    kind: ClassVar = ADVISORS


def advisors_import_page() -> rx.Component:
    """The page."""
    return import_page(AdvisorImportState, csv_texts.IMPORT_ADVISORS, admin_texts.BACK)
