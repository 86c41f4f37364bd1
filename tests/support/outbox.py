"""The mails that a site without a mail server writes into files."""

from pathlib import Path


def mail_files(data_dir: Path) -> list[Path]:
    """The mails in the outbox of a data folder, by name; one that is being written has another name."""
    return sorted((data_dir / "outbox").glob("[!.]*.eml"))
