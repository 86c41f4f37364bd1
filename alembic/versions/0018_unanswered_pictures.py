"""The addresses of pictures that did not answer when a record was saved."""

import sqlalchemy as sa

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

TABLES = ("advisors", "companies", "team_members")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("unanswered", sa.Text(), server_default="[]", nullable=False))


def downgrade() -> None:
    for table in TABLES:
        # SQLite rebuilds the table, and would lose AUTOINCREMENT.
        with op.batch_alter_table(table, table_kwargs={"sqlite_autoincrement": True}) as batch_op:
            batch_op.drop_column("unanswered")
