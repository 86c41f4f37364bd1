"""Invitations keep the names that were typed with their address."""

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("invitations", sa.Column("first_name", sa.String(), server_default="", nullable=False))
    op.add_column("invitations", sa.Column("last_name", sa.String(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("invitations", "last_name")
    op.drop_column("invitations", "first_name")
