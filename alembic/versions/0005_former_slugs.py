"""Former slugs of records, for redirects."""

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "former_slugs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("of_table", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_former_slugs")),
        sa.UniqueConstraint("of_table", "slug", name=op.f("uq_former_slugs_of_table_slug")),
    )
    with op.batch_alter_table("former_slugs", schema=None) as batch_op:
        batch_op.create_index("ix_former_slugs_record", ["of_table", "record_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("former_slugs", schema=None) as batch_op:
        batch_op.drop_index("ix_former_slugs_record")

    op.drop_table("former_slugs")
