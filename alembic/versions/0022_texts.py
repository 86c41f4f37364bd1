"""Texts of the public pages that staff have changed."""

import sqlalchemy as sa

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "texts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_by", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("unanswered", sa.Text(), server_default="[]", nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("is_active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.CheckConstraint("length(slug) > 0", name=op.f("ck_texts_slug_not_empty")),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["profiles.id"], name=op.f("fk_texts_updated_by_profiles"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_texts")),
        sa.UniqueConstraint("slug", name=op.f("uq_texts_slug")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_texts_is_active"), "texts", ["is_active"])


def downgrade() -> None:
    op.drop_table("texts")
