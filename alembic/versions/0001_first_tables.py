"""The first tables: people and roles, companies, team, advisors, enquiries, attempts, content version."""

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "advisors",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("location", sa.String(), nullable=False),
        sa.Column("tagline", sa.String(), nullable=False),
        sa.Column("bio", sa.String(), nullable=False),
        sa.Column("detailed_bio", sa.String(), nullable=False),
        sa.Column("image_url", sa.String(), nullable=False),
        sa.Column("cover_image_url", sa.String(), nullable=False),
        sa.Column("linkedin_url", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("availability", sa.String(), nullable=False),
        sa.Column("display_order", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("expertise", sa.Text(), nullable=False),
        sa.Column("stats", sa.Text(), nullable=False),
        sa.Column("experience", sa.Text(), nullable=False),
        sa.Column("testimonials", sa.Text(), nullable=False),
        sa.Column("services", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.CheckConstraint("length(slug) > 0", name=op.f("ck_advisors_slug_not_empty")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_advisors")),
        sa.UniqueConstraint("slug", name=op.f("uq_advisors_slug")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("advisors", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_advisors_is_active"), ["is_active"], unique=False)

    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bucket", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
    )
    with op.batch_alter_table("attempts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attempts_at"), ["at"], unique=False)
        batch_op.create_index("ix_attempts_bucket_key_at", ["bucket", "key", "at"], unique=False)

    op.create_table(
        "companies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("tagline", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("detailed_description", sa.String(), nullable=False),
        sa.Column("industry", sa.String(), nullable=False),
        sa.Column("status", sa.String(), server_default="Active", nullable=False),
        sa.Column("founded", sa.String(), nullable=False),
        sa.Column("employees", sa.String(), nullable=False),
        sa.Column("location", sa.String(), nullable=False),
        sa.Column("website_url", sa.String(), nullable=False),
        sa.Column("logo_url", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("founders", sa.Text(), nullable=False),
        sa.Column("services", sa.Text(), nullable=False),
        sa.Column("coverage_areas", sa.Text(), nullable=False),
        sa.Column("target_market", sa.Text(), nullable=False),
        sa.Column("key_metrics", sa.Text(), nullable=False),
        sa.Column("legal_entity_name", sa.String(), nullable=False),
        sa.Column("registration_number", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.CheckConstraint("length(slug) > 0", name=op.f("ck_companies_slug_not_empty")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_companies")),
        sa.UniqueConstraint("slug", name=op.f("uq_companies_slug")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("companies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_companies_status"), ["status"], unique=False)

    op.create_table(
        "content_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_content_version_single_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content_version")),
    )
    op.create_table(
        "enquiries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.String(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "stage IN ('', 'pmf', 'commercialization', 'scale', 'other')",
            name=op.f("ck_enquiries_known_stage"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enquiries")),
        sa.UniqueConstraint("submission_id", name=op.f("uq_enquiries_submission_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "profiles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("first_name", sa.String(), nullable=False),
        sa.Column("last_name", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_profiles")),
        sa.UniqueConstraint("email", name=op.f("uq_profiles_email")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "team_members",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("designation", sa.String(), nullable=False),
        sa.Column("bio", sa.String(), nullable=False),
        sa.Column("detailed_bio", sa.String(), nullable=False),
        sa.Column("image_url", sa.String(), nullable=False),
        sa.Column("linkedin_url", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("display_order", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("achievements", sa.Text(), nullable=False),
        sa.Column("expertise", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.CheckConstraint("length(slug) > 0", name=op.f("ck_team_members_slug_not_empty")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team_members")),
        sa.UniqueConstraint("slug", name=op.f("uq_team_members_slug")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("team_members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_team_members_is_active"), ["is_active"], unique=False)

    op.create_table(
        "credentials",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("email_confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_credentials_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_credentials")),
    )
    op.create_table(
        "user_roles",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.CheckConstraint("role IN ('admin', 'manager', 'employee')", name=op.f("ck_user_roles_known_role")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["profiles.id"], name=op.f("fk_user_roles_user_id_profiles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_user_roles")),
    )
    op.execute("INSERT INTO content_version (id, number) VALUES (1, 0)")


def downgrade() -> None:
    op.drop_table("user_roles")
    op.drop_table("credentials")
    with op.batch_alter_table("team_members", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_team_members_is_active"))

    op.drop_table("team_members")
    op.drop_table("profiles")
    op.drop_table("enquiries")
    op.drop_table("content_version")
    with op.batch_alter_table("companies", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_companies_status"))

    op.drop_table("companies")
    with op.batch_alter_table("attempts", schema=None) as batch_op:
        batch_op.drop_index("ix_attempts_bucket_key_at")
        batch_op.drop_index(batch_op.f("ix_attempts_at"))

    op.drop_table("attempts")
    with op.batch_alter_table("advisors", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_advisors_is_active"))

    op.drop_table("advisors")
