"""Drafts: proposals beside records, and links to their previews."""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

IS_DRAFT = sa.text("category = 'staff' AND state <> 'discarded'")


def _time(name: str, *, nullable: bool = True) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _changed_at(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _user(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["by"], ["profiles.id"], name=op.f(f"fk_{table}_by_profiles"), ondelete="SET NULL")


def upgrade() -> None:
    op.create_table(
        "proposals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("of_table", sa.String(), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=True),
        sa.Column("base_version", sa.Integer(), nullable=False),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.Column("by_name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        _time("publish_at"),
        _time("hide_at"),
        sa.Column("problem", sa.String(), nullable=False),
        sa.Column("batch", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        _changed_at("created_at"),
        _changed_at("updated_at"),
        sa.CheckConstraint("category IN ('staff', 'guest')", name=op.f("ck_proposals_known_category")),
        sa.CheckConstraint(
            "state IN ('open', 'scheduled', 'blocked', 'discarded')", name=op.f("ck_proposals_known_state")
        ),
        _user("proposals"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposals")),
        sqlite_autoincrement=True,
    )
    for name in ("by", "publish_at", "hide_at", "batch"):
        op.create_index(op.f(f"ix_proposals_{name}"), "proposals", [name])
    op.create_index(
        "uq_proposals_draft",
        "proposals",
        ["of_table", "record_id"],
        unique=True,
        sqlite_where=IS_DRAFT,
        postgresql_where=IS_DRAFT,
    )
    op.create_table(
        "preview_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("proposal_id", sa.Integer(), nullable=True),
        sa.Column("of_table", sa.String(), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=True),
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.Column("by_name", sa.String(), nullable=False),
        _changed_at("created_at"),
        _time("expires_at", nullable=False),
        sa.Column("opened", sa.Integer(), nullable=False),
        _time("opened_at"),
        _time("revoked_at"),
        _time("published_at"),
        sa.ForeignKeyConstraint(
            ["proposal_id"],
            ["proposals.id"],
            name=op.f("fk_preview_links_proposal_id_proposals"),
            ondelete="SET NULL",
        ),
        _user("preview_links"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preview_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_preview_links_digest")),
        sqlite_autoincrement=True,
    )
    for name in ("proposal_id", "by", "expires_at"):
        op.create_index(op.f(f"ix_preview_links_{name}"), "preview_links", [name])


def downgrade() -> None:
    op.drop_table("preview_links")
    op.drop_table("proposals")
