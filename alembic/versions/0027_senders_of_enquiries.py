"""Enquiries are looked up by the address of their sender in any case."""

import sqlalchemy as sa

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_enquiries_sender", "enquiries", [sa.text("lower(email)")])
    op.drop_index("ix_enquiries_email", "enquiries")


def downgrade() -> None:
    op.create_index("ix_enquiries_email", "enquiries", ["email"])
    op.drop_index("ix_enquiries_sender", "enquiries")
