"""The comparison of two snapshots of a record: what changed in each field, in the terms of its form."""

from collections.abc import Mapping

from . import history_texts as texts
from .fields.changes import Change
from .fields.field_type import FieldType, FormField


def compare(fields: Mapping[str, FormField], old: object, new: object) -> tuple[Change, ...]:
    """The fields that differ between two snapshots (mappings, or objects with the columns), in the form's order.

    The slug counts, also where it is no input; other columns without an input do not. Snapshots may hold anything:
    what cannot be shown is empty.
    """
    types = {name: (each.field_type, each.input.label) for name, each in fields.items()}
    types.setdefault("slug", (FieldType(), texts.PAGE_ADDRESS))
    changes = (
        field_type.compare(name, label, _stored(old, name), _stored(new, name))
        for name, (field_type, label) in types.items()
    )
    return tuple(change for change in changes if change)


def _stored(snapshot: object, name: str) -> object:
    return snapshot.get(name) if isinstance(snapshot, Mapping) else getattr(snapshot, name, None)
