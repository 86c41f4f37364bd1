"""Who saved a company, team member or advisor last."""

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("companies", "team_members", "advisors")
# SQLite rebuilds the table, and would lose AUTOINCREMENT.
KEPT = {"sqlite_autoincrement": True}


def upgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table, table_kwargs=KEPT) as batch_op:
            batch_op.add_column(sa.Column("updated_by", sa.Integer(), nullable=True))
            batch_op.create_foreign_key(
                op.f(f"fk_{table}_updated_by_profiles"), "profiles", ["updated_by"], ["id"], ondelete="SET NULL"
            )


def downgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table, table_kwargs=KEPT) as batch_op:
            batch_op.drop_constraint(op.f(f"fk_{table}_updated_by_profiles"), type_="foreignkey")
            batch_op.drop_column("updated_by")
