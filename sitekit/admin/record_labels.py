"""What the screens of a record type say of it; all follows from its names."""

from ..base.text import in_capitals
from ..records.record_type import AnyRecordType
from . import texts
from .office import office


def add_label(record_type: AnyRecordType) -> str:
    """What adds a record, and the title of its form."""
    return texts.ADD_RECORD.format(label=in_capitals(record_type.noun))


def edit_label(record_type: AnyRecordType) -> str:
    """The title of the form of a stored record."""
    return texts.EDIT_RECORD.format(label=in_capitals(record_type.noun))


def back_label(record_type: AnyRecordType) -> str:
    """The link from a form or the import to the list."""
    return texts.BACK_TO_LIST.format(list=office().list_label(record_type))


def import_label(record_type: AnyRecordType) -> str:
    """The title of the import."""
    return texts.IMPORT_RECORDS.format(labels=in_capitals(record_type.plural))


def search_label(record_type: AnyRecordType) -> str:
    """The label of the search field of the list."""
    return texts.SEARCH_RECORDS.format(plural=record_type.plural)


def submit_labels(record_type: AnyRecordType) -> tuple[str, str]:
    """The labels of the button that saves a new record, and a stored one."""
    label = in_capitals(record_type.noun)
    return texts.CREATE_RECORD.format(label=label), texts.UPDATE_RECORD.format(label=label)
