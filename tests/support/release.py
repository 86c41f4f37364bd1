"""What tests of `deploy/release` share."""

import os
import pwd

# A revision after `head`.
COLUMN_MIGRATION = '''"""A column of the next release."""

import sqlalchemy as sa

from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.add_column("companies", sa.Column("motto", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("companies", table_kwargs={{"sqlite_autoincrement": True}}) as batch_op:
        batch_op.drop_column("motto")
'''


def running_user() -> str:
    """The user that runs the tests; the site's commands are then run without changing the user."""
    return pwd.getpwuid(os.geteuid()).pw_name
