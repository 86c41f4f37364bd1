"""The replies to actions with the records of a type; the usual ones follow from its names."""

from dataclasses import dataclass

from ..base.text import capitalised


@dataclass(frozen=True)
class RecordTexts:
    """The replies to actions of staff and visitors with the records of a type."""

    missing: str
    list_failed: str
    fetch_failed: str
    created: str
    create_failed: str
    updated: str
    update_failed: str
    delete_confirm: str
    deleted: str
    delete_failed: str

    @classmethod
    def about(cls, noun: str, plural: str, **own: str) -> "RecordTexts":
        """The usual sentences about a record with this name, but for its own ones."""
        title = capitalised(noun)
        usual = {
            "missing": f"{title} not found",
            "list_failed": f"Failed to fetch {plural}",
            "fetch_failed": f"Failed to fetch {noun}",
            "created": f"{title} created successfully",
            "create_failed": f"Failed to create {noun}",
            "updated": f"{title} updated successfully",
            "update_failed": f"Failed to update {noun}",
            "delete_confirm": f"Are you sure you want to delete this {noun}?",
            "deleted": f"{title} deleted successfully",
            "delete_failed": f"Failed to delete {noun}",
        }
        return cls(**usual | own)
