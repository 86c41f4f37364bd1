"""Enquiries have their folded texts, which are searched, and an index for their list."""

import sqlalchemy as sa

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

INDEX = "ix_enquiries_state_first_name_company"
CHUNK = 2_000


def upgrade() -> None:
    op.add_column("enquiries", sa.Column("searched", sa.String(), nullable=True))
    rows, line_break = sa.Table("enquiries", sa.MetaData(), autoload_with=op.get_bind()), sa.literal("\n")
    texts = rows.c.first_name, rows.c.last_name, rows.c.email, rows.c.company, rows.c.message
    joined: sa.ColumnElement[str] = texts[0]
    for text in texts[1:]:
        joined = joined + line_break + text
    some = sa.select(rows.c.id).where(rows.c.searched.is_(None)).limit(CHUNK)
    fill = rows.update().where(rows.c.id.in_(some)).values(searched=sa.func.fold(joined))
    while op.get_bind().execute(fill).rowcount:
        pass
    op.create_index(INDEX, "enquiries", ["state", "first_name", "company"])


def downgrade() -> None:
    op.drop_index(INDEX, "enquiries")
    op.drop_column("enquiries", "searched")
