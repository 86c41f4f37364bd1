"""Uploaded pictures."""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "media",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("alt", sa.String(), nullable=False),
        sa.Column("is_decorative", sa.Boolean(), nullable=False),
        sa.Column("credit", sa.String(), nullable=False),
        sa.Column("focal_x", sa.Integer(), nullable=False),
        sa.Column("focal_y", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["created_by"], ["profiles.id"], name=op.f("fk_media_created_by_profiles"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_media")),
        sa.UniqueConstraint("key", name=op.f("uq_media_key")),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("media")
