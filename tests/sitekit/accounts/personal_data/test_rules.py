"""Every table that may hold something about a person has a rule, which names its columns."""

import re
from collections.abc import Iterable, Iterator

import pytest
import sqlalchemy as sa

from sitekit.accounts.personal_data.rules import rules
from sitekit.ops.tables import metadata
from sitekit.records.personal_data import Rule, is_text
from tests.support.each import check_each

pytestmark = pytest.mark.spec("ACC-4")

EMAIL = re.compile(r"email|e_mail|recipient|reply_to|(?<!by_)address")
SECRET = re.compile(r"hash|secret|token|seed|challenge|credential|public_key|^key$|browser|code$")
PROFILES = "profiles"
# Tables that hold nothing about a person, and why.
NOTHING_HELD = {
    "content_version": "a number",
    "revision_pictures": "which pictures the versions of a record show, deleted with them",
    "former_slugs": "addresses of pages, which cannot contain an email address, erased with their record",
    "verified_backups": "names and checksums of files",
    "backup_rehearsals": "names of files, and what was wrong with them",
}


def problems(table: sa.Table, rules: Iterable[Rule]) -> Iterator[str]:
    """What the rules of a table leave out."""
    found = [rule for rule in rules if rule.source.name == table.name]
    users = {one.parent.name: one.ondelete for one in table.foreign_keys if one.column.table.name == PROFILES}
    emails = {column.name for column in table.c if EMAIL.search(column.name) and is_text(column)}
    if not found and (users or emails or table.name not in NOTHING_HELD):
        yield "no rule"
    for rule in found:
        if missing := emails - {*rule.addresses} - {column for column in emails if column.endswith("confirmed_at")}:
            yield f"addresses without {sorted(missing)}"
        for name, on_delete in users.items():
            if name not in (rule.owners if on_delete == "CASCADE" else rule.authors):
                yield f"{name} is neither an owner nor an author, as {on_delete} says"
        if shown := [
            column.name for column in table.c if SECRET.search(column.name) and column.name not in rule.hidden
        ]:
            yield f"shows {shown}"
        named = {*rule.addresses, *rule.owners, *rule.authors, *rule.hidden, *rule.unshown, *rule.brief}
        if unknown := named - {column.name for column in table.c}:
            yield f"no such columns: {sorted(unknown)}"


def test_every_table_has_a_rule_for_its_addresses_and_users() -> None:
    def check(table: sa.Table) -> None:
        assert list(problems(table, rules())) == []

    check_each(metadata.sorted_tables, check)


def test_no_table_has_both_a_rule_and_an_exemption_and_each_exists() -> None:
    ruled = {rule.source.name for rule in rules()}
    assert ruled & {*NOTHING_HELD} == set()
    assert ruled | {*NOTHING_HELD} == {*metadata.tables}


def test_a_table_that_references_a_person_indirectly_has_a_rule() -> None:
    owned = {rule.source.name for rule in rules() if rule.owners}
    for table in metadata.sorted_tables:
        if owned & {key.column.table.name for key in table.foreign_keys if key.ondelete == "CASCADE"}:
            assert [rule for rule in rules() if rule.source.name == table.name and (rule.owners or rule.also)], table


NEW = sa.MetaData()
_ = sa.Table(PROFILES, NEW, sa.Column("id", sa.Integer, primary_key=True))
WITH_EMAIL = sa.Table("requests", NEW, sa.Column("id", sa.Integer), sa.Column("email", sa.String))
WITH_USER = sa.Table("factors", NEW, sa.Column("user_id", sa.ForeignKey("profiles.id", ondelete="CASCADE")))
WITH_NEITHER = sa.Table("notes", NEW, sa.Column("text", sa.Text))


@pytest.mark.parametrize("table", [WITH_EMAIL, WITH_USER, WITH_NEITHER], ids=str)
def test_a_new_table_without_a_rule_is_reported(table: sa.Table) -> None:
    assert list(problems(table, rules())) == ["no rule"]


@pytest.mark.parametrize("column", ["email", "user_id", "password_hash"])
def test_a_column_missing_from_a_rule_is_reported(column: str) -> None:
    type_ = sa.String() if column != "user_id" else sa.ForeignKey("profiles.id", ondelete="CASCADE")
    table = sa.Table("user_roles", sa.MetaData(), sa.Column(column, type_))
    sa.Table(PROFILES, table.metadata, sa.Column("id", sa.Integer, primary_key=True))
    bare = [rule for rule in rules() if rule.source.name == "content_version"]
    assert bare == []
    named = type("Bare", (), {"__table__": table})
    assert len(list(problems(table, [Rule(table=named, title="", nouns=("row", "rows"))]))) == 1


def test_every_text_column_except_hidden_ones_is_searched() -> None:
    searched = {rule.source.name: rule.texts for rule in rules()}
    assert searched["outgoing_mail"] == ("recipient", "subject", "text", "html", "reply_to", "last_error")
    assert {"snapshot", "changed", "label", "by_name"} < {*searched["revisions"]}
    for rule in rules():
        assert not {*rule.hidden} & {*rule.texts}
