"""Enquiries have a state, an owner and a time; what was done with each is on record; mails have threads."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic.operations import BatchOperations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

# SQLite rebuilds the table, and would lose AUTOINCREMENT.
KEPT = {"sqlite_autoincrement": True}
TIMES = ("due_at", "waiting_until", "first_replied_at")
TEXTS = {"state": "new", "source_path": "", "source_host": "", "reasons": "[]"}
INDEXED = ("created_at", "email", "owner_id")


@contextmanager
def rebuilt(table: str) -> Iterator[BatchOperations]:
    """Change a table that SQLite rebuilds, without giving the ids of deleted rows to new ones."""
    connection, last = op.get_bind(), None
    named = {"name": table}
    if connection.dialect.name == "sqlite":
        last = connection.execute(sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name"), named).scalar()
    with op.batch_alter_table(table, table_kwargs=KEPT) as batch_op:
        yield batch_op
    if last is not None:
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), named)
        connection.execute(sa.text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), {**named, "last": last})


def upgrade() -> None:
    with rebuilt("enquiries") as batch_op:
        for name, default in TEXTS.items():
            column_type = sa.Text() if name == "reasons" else sa.String()
            batch_op.add_column(sa.Column(name, column_type, server_default=default, nullable=False))
        batch_op.add_column(sa.Column("owner_id", sa.Integer(), nullable=True))
        for name in TIMES:
            batch_op.add_column(sa.Column(name, sa.DateTime(timezone=True), nullable=True))
        batch_op.create_foreign_key(
            op.f("fk_enquiries_owner_id_profiles"), "profiles", ["owner_id"], ["id"], ondelete="SET NULL"
        )
    enquiries = sa.table("enquiries", sa.column("state"), sa.column("handled_at"))
    op.execute(enquiries.update().where(enquiries.c.handled_at.is_not(None)).values(state="handled"))
    for name in INDEXED:
        op.create_index(op.f(f"ix_enquiries_{name}"), "enquiries", [name])
    op.create_table(
        "enquiry_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("enquiry_id", sa.Integer(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.Column("by_name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("mail_id", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.String(), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "category IN ('reply', 'note', 'answer', 'change', 'released')",
            name=op.f("ck_enquiry_entries_known_category"),
        ),
        sa.ForeignKeyConstraint(
            ["enquiry_id"], ["enquiries.id"], name=op.f("fk_enquiry_entries_enquiry_id_enquiries"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["by"], ["profiles.id"], name=op.f("fk_enquiry_entries_by_profiles"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enquiry_entries")),
        sqlite_autoincrement=True,
    )
    for name in ("enquiry_id", "by", "mail_id"):
        op.create_index(op.f(f"ix_enquiry_entries_{name}"), "enquiry_entries", [name])
    op.create_table(
        "stage_owners",
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "stage IN ('pmf', 'commercialization', 'scale', 'other')", name=op.f("ck_stage_owners_known_owned_stage")
        ),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["profiles.id"], name=op.f("fk_stage_owners_owner_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("stage", name=op.f("pk_stage_owners")),
    )
    op.create_index(op.f("ix_stage_owners_owner_id"), "stage_owners", ["owner_id"])
    op.add_column("outgoing_mail", sa.Column("thread_id", sa.String(), server_default="", nullable=False))
    op.add_column("outgoing_mail", sa.Column("is_automatic", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    with rebuilt("outgoing_mail") as batch_op:
        batch_op.drop_column("is_automatic")
        batch_op.drop_column("thread_id")
    op.drop_table("stage_owners")
    op.drop_table("enquiry_entries")
    for name in INDEXED:
        op.drop_index(op.f(f"ix_enquiries_{name}"), "enquiries")
    with rebuilt("enquiries") as batch_op:
        batch_op.drop_constraint(op.f("fk_enquiries_owner_id_profiles"), type_="foreignkey")
        for name in ("owner_id", *TEXTS, *TIMES):
            batch_op.drop_column(name)
