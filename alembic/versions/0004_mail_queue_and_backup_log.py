"""The mail queue, and the log of verified backups."""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outgoing_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("html", sa.String(), nullable=False),
        sa.Column("reply_to", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("given_up_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outgoing_mail")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outgoing_mail_message_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("outgoing_mail", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outgoing_mail_due_at"), ["due_at"], unique=False)

    op.create_table(
        "verified_backups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verified_backups")),
    )
    with op.batch_alter_table("verified_backups", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_verified_backups_verified_at"), ["verified_at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("verified_backups", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_verified_backups_verified_at"))

    op.drop_table("verified_backups")
    with op.batch_alter_table("outgoing_mail", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outgoing_mail_due_at"))

    op.drop_table("outgoing_mail")
