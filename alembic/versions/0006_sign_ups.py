"""Sign-ups: their passwords are stored apart from the credentials until the address is confirmed."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sign_ups",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_sign_ups_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_sign_ups")),
    )
    with op.batch_alter_table("sign_ups", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_ups_created_at"), ["created_at"], unique=False)
    # Links that were already mailed ask for the password from now on.
    op.execute(
        "INSERT INTO sign_ups (user_id, first_name, last_name, password_hash, created_at)"
        " SELECT p.id, p.first_name, p.last_name, c.password_hash, CURRENT_TIMESTAMP"
        " FROM profiles p JOIN credentials c ON c.user_id = p.id WHERE c.email_confirmed_at IS NULL"
    )


def downgrade() -> None:
    # The earlier version needs credentials for every account, and refuses sign-ins before the address is confirmed.
    op.execute(
        "INSERT INTO credentials (user_id, password_hash)"
        " SELECT s.user_id, s.password_hash FROM sign_ups s"
        " WHERE NOT EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = s.user_id)"
    )
    with op.batch_alter_table("sign_ups", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_ups_created_at"))

    op.drop_table("sign_ups")
