"""Changes of texts, as staff make them."""

import sqlalchemy as sa
from sqlmodel import Session

from sitekit.admin.page_texts.models import Text, columns
from sitekit.base.text import text_name


def change_text(session: Session, original: str, text: str, *, is_active: bool = True) -> None:
    """Change a text once more, or for the first time."""
    query = sa.select(Text).where(columns.name == original)
    row = session.execute(query).scalar_one_or_none()
    row = row or Text(name=original, slug=text_name(original))
    row.text, row.is_active = text, is_active
    session.add(row)
