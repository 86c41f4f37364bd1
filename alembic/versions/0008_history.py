"""The history of companies, team members and advisors, and the log of what was done."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TABLES = ("companies", "team_members", "advisors")
JSON = {"founders", "services", "coverage_areas", "target_market", "key_metrics", "expertise", "achievements", "stats"}
JSON |= {"experience", "testimonials"}
TIMES = ("created_at", "updated_at")
OF_THE_SAVE = {"id", "version", "updated_at", "updated_by"}
CHUNK = 200


def upgrade() -> None:
    op.create_table(
        "revisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("of_table", sa.String(), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.Column("by_name", sa.String(), nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("changed", sa.Text(), nullable=False),
        sa.Column("batch", sa.String(), nullable=True),
        sa.Column("restored_from", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["by"], ["profiles.id"], name=op.f("fk_revisions_by_profiles"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revisions")),
        sa.UniqueConstraint("of_table", "record_id", "number", name=op.f("uq_revisions_of_table_record_id_number")),
    )
    with op.batch_alter_table("revisions") as batch_op:
        batch_op.create_index("ix_revisions_action_at", ["action", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_revisions_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_revisions_batch"), ["batch"], unique=False)
        batch_op.create_index(batch_op.f("ix_revisions_by"), ["by"], unique=False)
    op.create_table(
        "activity",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.Column("by_name", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("of_table", sa.String(), nullable=False),
        sa.Column("record_id", sa.Integer(), nullable=True),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("network", sa.String(), nullable=False),
        sa.Column("searched", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["profiles.id"], name=op.f("fk_activity_by_profiles"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_activity")),
    )
    with op.batch_alter_table("activity") as batch_op:
        batch_op.create_index("ix_activity_act_at", ["act", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_activity_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_activity_by"), ["by"], unique=False)
        batch_op.create_index("ix_activity_of_table_record_id", ["of_table", "record_id"], unique=False)
    for table in TABLES:
        _write_first_revisions(table)


def _write_first_revisions(name: str) -> None:
    """Give each record that exists a first revision; its versions are counted from there."""
    connection = op.get_bind()
    found, schema = sa.inspect(connection).get_columns(name), sa.MetaData()
    table = sa.Table(name, schema, *(sa.Column(column["name"], _type(column)) for column in found))
    profiles = sa.table(
        "profiles", sa.column("id"), sa.column("email"), sa.column("first_name"), sa.column("last_name")
    )
    revisions = sa.Table("revisions", schema, autoload_with=connection)
    who = sa.select(table, profiles.c.email, profiles.c.first_name, profiles.c.last_name).outerjoin(
        profiles, profiles.c.id == table.c.updated_by
    )
    last = 0
    while rows := connection.execute(who.where(table.c.id > last).order_by(table.c.id).limit(CHUNK)).mappings().all():
        last = rows[-1]["id"]
        connection.execute(sa.insert(revisions), [_revision(name, table, row) for row in rows])
    connection.execute(sa.update(table).values(version=1))


def _type(column: Mapping[str, Any]) -> Any:
    return sa.DateTime(timezone=True) if column["name"] in TIMES else column["type"]


def _revision(name: str, table: sa.Table, row: sa.RowMapping) -> dict[str, Any]:
    names = [column.name for column in table.c if column.name not in OF_THE_SAVE]
    who = f"{row['first_name'] or ''} {row['last_name'] or ''}".strip() or row["email"] or ""
    return {
        "of_table": name,
        "record_id": row["id"],
        "number": 1,
        "at": _utc(row["updated_at"]),
        "by": row["updated_by"],
        "by_name": who,
        "via": "back office" if row["updated_by"] else "command",
        "action": "saved",
        "label": row["name"],
        "snapshot": json.dumps({one: _stored(one, row[one]) for one in names}, ensure_ascii=False),
        "changed": "[]",
    }


def _stored(name: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return _utc(value).isoformat()
    if name in JSON:
        try:
            return json.loads(value)
        except (ValueError, RecursionError, TypeError):
            return value
    return value


def _utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def downgrade() -> None:
    op.drop_table("activity")
    op.drop_table("revisions")
