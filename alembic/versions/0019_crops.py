"""How a record crops its picture, behind the address, in place of one focal point per picture; marks of companies."""

import sqlalchemy as sa

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

PICTURES = (
    ("advisors", "image_url"),
    ("advisors", "cover_image_url"),
    ("team_members", "image_url"),
)


def upgrade() -> None:
    op.add_column("companies", sa.Column("mark_url", sa.String(), server_default="", nullable=False))
    media = sa.table("media", sa.column("key"), sa.column("focal_x"), sa.column("focal_y"))
    moved = sa.select(media).where(sa.or_(media.c.focal_x != 50, media.c.focal_y != 50))
    for key, x, y in op.get_bind().execute(moved).all():
        for table, name in PICTURES:
            address: sa.ColumnClause[str] = sa.column(name)
            uses = address.startswith(f"/media/{key}-")
            op.execute(sa.table(table, address).update().where(uses).values({name: address + f"#{x},{y}"}))


def downgrade() -> None:
    for table, name in PICTURES:
        record = sa.table(table, sa.column("id"), sa.column(name))
        cropped = sa.select(record).where(record.c[name].like("/media/%#%"))
        for number, address in op.get_bind().execute(cropped).all():
            whole = {name: address.partition("#")[0]}
            op.execute(record.update().where(record.c.id == number).values(whole))
    # SQLite rebuilds the table, and would lose AUTOINCREMENT.
    with op.batch_alter_table("companies", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.drop_column("mark_url")
