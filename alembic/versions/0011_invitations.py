"""Invitations to open an account."""

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

IS_OPEN = sa.text("accepted_at IS NULL AND revoked_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("invited_by", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("role IN ('admin', 'manager', 'employee')", name=op.f("ck_invitations_known_role")),
        sa.ForeignKeyConstraint(
            ["invited_by"], ["profiles.id"], name=op.f("fk_invitations_invited_by_profiles"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitations_token_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_invitations_expires_at"), "invitations", ["expires_at"])
    op.create_index(op.f("ix_invitations_invited_by"), "invitations", ["invited_by"])
    # An address has one open invitation at most.
    op.create_index(
        "uq_invitations_open_email",
        "invitations",
        ["email"],
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    )


def downgrade() -> None:
    op.drop_table("invitations")
