"""When a person last signed in, which outlives their sessions."""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("profiles", sa.Column("last_signed_in_at", sa.DateTime(timezone=True), nullable=True))
    # Sessions are kept for a while, so those who signed in lately are known.
    op.execute(
        "UPDATE profiles SET last_signed_in_at ="
        " (SELECT MAX(s.created_at) FROM auth_sessions s WHERE s.user_id = profiles.id)"
    )


def downgrade() -> None:
    # SQLite rebuilds the table, and would lose AUTOINCREMENT.
    with op.batch_alter_table("profiles", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.drop_column("last_signed_in_at")
