"""What passkeys call a person who created the first one before there was an account, to accept an invitation."""

import sqlalchemy as sa

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("profiles", sa.Column("user_handle", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    # SQLite rebuilds the table, and would lose AUTOINCREMENT.
    with op.batch_alter_table("profiles", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.drop_column("user_handle")
