"""What the firm did for a company, what its founders say, its stage, and whether it is featured or has exited."""

import sqlalchemy as sa

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TEXTS = (
    "stage",
    "our_role",
    "partner",
    "support_area",
    "since",
    "quote",
    "quoted_name",
    "quoted_role",
    "exit_note",
)


def upgrade() -> None:
    for name in TEXTS:
        op.add_column("companies", sa.Column(name, sa.String(), server_default="", nullable=False))
    op.add_column("companies", sa.Column("is_featured", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    # SQLite rebuilds the table, and would lose AUTOINCREMENT.
    with op.batch_alter_table("companies", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        for name in (*TEXTS, "is_featured"):
            batch_op.drop_column(name)
