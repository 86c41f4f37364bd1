"""Which revisions refer to which uploaded pictures: found by an index, and not in the texts of all revisions."""

import re

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

KEY = re.compile(r"/media/([0-9a-f]{32})-")
CHUNK = 500


def upgrade() -> None:
    op.create_table(
        "revision_pictures",
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["revisions.id"],
            name=op.f("fk_revision_pictures_revision_id_revisions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("revision_id", "key", name=op.f("pk_revision_pictures")),
    )
    with op.batch_alter_table("revision_pictures") as batch_op:
        batch_op.create_index(batch_op.f("ix_revision_pictures_key"), ["key"], unique=False)
    _find_pictures()


def _find_pictures() -> None:
    """Fill the table from the revisions that exist."""
    connection = op.get_bind()
    revisions = sa.table("revisions", sa.column("id", sa.Integer), sa.column("snapshot", sa.Text))
    pictures = sa.table("revision_pictures", sa.column("revision_id", sa.Integer), sa.column("key", sa.String))
    mentioning = sa.select(revisions).where(revisions.c.snapshot.contains("/media/")).order_by(revisions.c.id)
    last = 0
    while rows := connection.execute(mentioning.where(revisions.c.id > last).limit(CHUNK)).all():
        last = rows[-1].id
        found = [{"revision_id": row.id, "key": key} for row in rows for key in sorted(set(KEY.findall(row.snapshot)))]
        if found:
            connection.execute(sa.insert(pictures), found)


def downgrade() -> None:
    op.drop_table("revision_pictures")
