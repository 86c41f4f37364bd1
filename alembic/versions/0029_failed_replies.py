"""An index of the mails to visitors that were not sent, which the dashboard counts."""

import sqlalchemy as sa

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

INDEX = "ix_enquiry_entries_failed"
HAS_FAILED = sa.text("failure != ''")


def upgrade() -> None:
    op.create_index(INDEX, "enquiry_entries", ["enquiry_id"], sqlite_where=HAS_FAILED, postgresql_where=HAS_FAILED)


def downgrade() -> None:
    op.drop_index(INDEX, table_name="enquiry_entries")
