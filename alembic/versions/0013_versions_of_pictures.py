"""Who saved the details of a picture last, and how often they were saved."""

import sqlalchemy as sa

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# SQLite rebuilds the table, and would lose AUTOINCREMENT.
KEPT = {"sqlite_autoincrement": True}


def upgrade() -> None:
    with op.batch_alter_table("media", table_kwargs=KEPT) as batch_op:
        batch_op.add_column(sa.Column("version", sa.Integer(), server_default="1", nullable=False))
        batch_op.add_column(
            sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)
        )
        batch_op.add_column(sa.Column("updated_by", sa.Integer(), nullable=True))
        batch_op.create_foreign_key(
            op.f("fk_media_updated_by_profiles"), "profiles", ["updated_by"], ["id"], ondelete="SET NULL"
        )


def downgrade() -> None:
    with op.batch_alter_table("media", table_kwargs=KEPT) as batch_op:
        batch_op.drop_constraint(op.f("fk_media_updated_by_profiles"), type_="foreignkey")
        batch_op.drop_column("updated_by")
        batch_op.drop_column("updated_at")
        batch_op.drop_column("version")
