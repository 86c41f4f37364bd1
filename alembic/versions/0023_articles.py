"""Articles."""

import sqlalchemy as sa

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "articles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_by", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("unanswered", sa.Text(), server_default="[]", nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("written_on", sa.String(), nullable=False),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("case_of", sa.String(), nullable=False),
        sa.Column("companies", sa.Text(), nullable=False),
        sa.Column("cover_url", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("is_active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("told_at", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.CheckConstraint("length(slug) > 0", name=op.f("ck_articles_slug_not_empty")),
        sa.ForeignKeyConstraint(
            ["updated_by"], ["profiles.id"], name=op.f("fk_articles_updated_by_profiles"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_articles")),
        sa.UniqueConstraint("slug", name=op.f("uq_articles_slug")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_articles_is_active"), "articles", ["is_active"])


def downgrade() -> None:
    op.drop_table("articles")
