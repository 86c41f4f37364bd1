"""Mailed links, changes of the email address and challenges of a sign-in are in one table.

The former tables stay for the release before, which may still run beside this one.
"""

import sqlalchemy as sa

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

FORMER = "purpose IN ('verify', 'recover')"
PURPOSES = "purpose IN ('verify', 'recover', 'change', 'factor', 'passkey', 'register')"
KNOWN = "ck_mailed_links_known_purpose"


def upgrade() -> None:
    with op.batch_alter_table("mailed_links") as batch_op:
        batch_op.drop_constraint(op.f(KNOWN), type_="check")
        batch_op.alter_column("user_id", existing_type=sa.Integer(), nullable=True)
        batch_op.add_column(sa.Column("subject", sa.String(), server_default="", nullable=False))
        batch_op.add_column(sa.Column("browser", sa.String(), server_default="", nullable=False))
        batch_op.add_column(sa.Column("tries", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("webauthn_challenge", sa.String(), server_default="", nullable=False))
        batch_op.create_check_constraint(op.f(KNOWN), PURPOSES)
        batch_op.create_index(op.f("ix_mailed_links_expires_at"), ["expires_at"], unique=False)
    op.execute(
        "INSERT INTO mailed_links (token_hash, user_id, purpose, subject, expires_at)"
        " SELECT token_hash, user_id, 'change', new_email, expires_at FROM email_changes"
    )
    op.execute(
        "INSERT INTO mailed_links"
        " (token_hash, user_id, purpose, browser, tries, webauthn_challenge, expires_at, used_at)"
        " SELECT token_hash, user_id, purpose, browser, tries, webauthn_challenge, expires_at, used_at"
        " FROM sign_in_challenges"
    )
    op.execute("DELETE FROM email_changes")
    op.execute("DELETE FROM sign_in_challenges")


def downgrade() -> None:
    op.execute(
        "INSERT INTO email_changes (token_hash, user_id, new_email, expires_at)"
        " SELECT token_hash, user_id, subject, expires_at FROM mailed_links"
        " WHERE purpose = 'change' AND used_at IS NULL AND user_id NOT IN (SELECT user_id FROM email_changes)"
    )
    op.execute("DELETE FROM mailed_links WHERE purpose NOT IN ('verify', 'recover')")
    with op.batch_alter_table("mailed_links") as batch_op:
        batch_op.drop_index(op.f("ix_mailed_links_expires_at"))
        batch_op.drop_constraint(op.f(KNOWN), type_="check")
        batch_op.drop_column("webauthn_challenge")
        batch_op.drop_column("tries")
        batch_op.drop_column("browser")
        batch_op.drop_column("subject")
        batch_op.alter_column("user_id", existing_type=sa.Integer(), nullable=False)
        batch_op.create_check_constraint(op.f(KNOWN), FORMER)
