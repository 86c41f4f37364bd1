"""The texts of CSV export and import in the back office."""

from dataclasses import dataclass

from . import messages


@dataclass(frozen=True, slots=True)
class ExportTexts:
    """What a list replies to its export. `cut` is the reply if the file does not have all rows."""

    done: str
    failed: str
    cut: str = ""


# Export
EXPORT = "Export CSV"
ENQUIRIES = ExportTexts(messages.ENQUIRIES_EXPORTED, messages.ENQUIRIES_EXPORT_FAILED, messages.ENQUIRIES_EXPORT_CUT)
COMPANIES = ExportTexts("Companies exported: {count}", "Failed to export companies")
MEMBERS = ExportTexts("Team members exported: {count}", "Failed to export team members")
ADVISORS = ExportTexts("Advisors exported: {count}", "Failed to export advisors")
USERS = ExportTexts("Users exported: {count}", "Failed to export users")
USERS_HEAD = ("First name", "Last name", "Email", "Role", "Member since (UTC)")
LINK_INVALID = "This download link has expired or has been used. Please export the list again.\n"
NOT_ALLOWED = "You may not download this list.\n"
NOT_AVAILABLE = "The list could not be read. Please export it again.\n"

# Columns
ID = "ID"
SLUG = "Slug"
