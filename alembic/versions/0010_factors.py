"""Second factors: authenticator apps, passkeys, recovery codes, and the challenges at sign-in."""

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "auth_factors",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("credential_id", sa.String(), nullable=True),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('code', 'passkey')", name=op.f("ck_auth_factors_known_kind")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_auth_factors_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_auth_factors")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_auth_factors_credential_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_auth_factors_user_id"), "auth_factors", ["user_id"], unique=False)

    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_recovery_codes_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "code_hash", name=op.f("pk_recovery_codes")),
    )

    op.create_table(
        "sign_in_challenges",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("webauthn_challenge", sa.String(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "purpose IN ('factor', 'passkey', 'register')", name=op.f("ck_sign_in_challenges_known_purpose")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_sign_in_challenges_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_in_challenges")),
    )
    op.create_index(op.f("ix_sign_in_challenges_user_id"), "sign_in_challenges", ["user_id"], unique=False)
    op.create_index(op.f("ix_sign_in_challenges_expires_at"), "sign_in_challenges", ["expires_at"], unique=False)

    op.add_column("auth_sessions", sa.Column("has_factor", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("auth_sessions", sa.Column("proved_at", sa.DateTime(timezone=True), nullable=True))
    # Every session began with a password or a mailed link.
    op.execute("UPDATE auth_sessions SET proved_at = created_at")
    op.add_column("profiles", sa.Column("factor_asked_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    # SQLite rebuilds the table, and would lose AUTOINCREMENT.
    with op.batch_alter_table("profiles", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.drop_column("factor_asked_at")
    with op.batch_alter_table("auth_sessions") as batch_op:
        batch_op.drop_column("proved_at")
        batch_op.drop_column("has_factor")
    op.drop_table("sign_in_challenges")
    op.drop_table("recovery_codes")
    op.drop_table("auth_factors")
