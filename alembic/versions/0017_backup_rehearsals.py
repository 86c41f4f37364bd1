"""The log of rehearsed restores."""

import sqlalchemy as sa

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "backup_rehearsals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("rehearsed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("problem", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backup_rehearsals")),
    )


def downgrade() -> None:
    op.drop_table("backup_rehearsals")
