"""Deactivated accounts, and changes of an email address that wait for their link."""

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("profiles", sa.Column("deactivated_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "email_changes",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("new_email", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_email_changes_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_email_changes")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_email_changes_token_hash")),
    )


def downgrade() -> None:
    op.drop_table("email_changes")
    # The earlier release knows no deactivated accounts; without a role they cannot be used there either.
    op.execute("DELETE FROM user_roles WHERE user_id IN (SELECT id FROM profiles WHERE deactivated_at IS NOT NULL)")
    # SQLite rebuilds the table, and would lose AUTOINCREMENT.
    with op.batch_alter_table("profiles", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.drop_column("deactivated_at")
