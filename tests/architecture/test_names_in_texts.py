"""Every name in backticks in the guides exists, each guide is listed, and no constant of a module is set twice."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import advisory_site.__main__  # noqa: F401  has commands of its own
from sitekit.base import settings
from sitekit.ops import cli
from tests.support.known_names import KnownNames

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
KIT_READMES = sorted((ROOT / "sitekit").rglob("README.md"))
TEXTS = [ROOT / "CONTRIBUTING.md", ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *KIT_READMES]
# tests/e2e/backoffice/test_adding_a_record_type.py follows it: the notes that it adds exist there alone.
FOLLOWED = DOCS / "adding-a-record-type.md"

PATH = re.compile(
    r"[\w./*-]+\.(?:css|csv|in|js|json|jsx|md|py|toml|tsv|txt|vcl|yaml|yml)(?:::\w+)?|(?:[\w.*-]+/)+[\w.*-]*"
)
ADDRESS = re.compile(r"/[\w{}./-]*")
NAME = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)*")
QUOTED = re.compile(r'"[^"]*"|\'[^\']*\'')
# Addresses and hosts of examples, folders of a server, variables of nginx, times, and what stands for any name.
MADE_UP = re.compile(
    r"\w+://\S*|\S+@\S+|[\w.-]+\.(?:example|localhost|com)\b\S*|/(?:etc|opt|tmp|usr|var)\b\S*|\$\w+"
    r"|\d+T[\d:]+Z|\S*\d{4}-\d\d-\d\d\S*|\.X\b|\b\w+_(?:\.\.\.|\*)|(?<!\w)\.\w+|@pytest\.mark"
)
# The first word of what is no code of ours: other programs and what they read and print, SQL, libraries that decisions
# compare, and what other sites and spreadsheets write.
FOREIGN = re.findall(
    r"\S+",
    """
    apt-get chown crit curl df docker fuser if install journalctl kill mv nft oom systemctl ufw varnishncsa -timestamp
    cf-cache-status archive_command archive_timeout maxclients maxmemory-policy pg_dump MISCONF OnFailure
    --storage.tsdb.retention.time OTEL_TRACES_SAMPLER _litestream_lock _litestream_seq
    CONNECTION LIMIT REASSIGN REPLICATION SELECT UPDATE
    CapacityLimiter ModelAdmin ModelForm ModelViewSet REFLEX_ENV_FILE allow_smtputf8 anyio.to_thread.run_sync
    check_deliverability difflib fetchpriority fieldsets hide_input_in_errors innerText
    _ga ttclid Nov-50
    """,
)
# Made when the site runs or is built.
MADE = {".unsteady.tsv", "NAME_rehearsal_", "advisory_site.audit", "deploy/.env", "media/", "outbox/", "sbom/"}
# The form of the names of a group's inputs.
FORM = "name.key.field"


@pytest.fixture(scope="module")
def known() -> KnownNames:
    return KnownNames()


def spans(text: str) -> Iterator[tuple[int, str]]:
    """What stands in backticks within the lines of a text, each with its line."""
    text = re.sub(r"^ *```.*?^ *```", lambda fence: "\n" * fence[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for span in re.finditer(r"`([^`]+)`", text):
        yield text.count("\n", 0, span.start()) + 1, " ".join(span[1].split())


def missing(code: str, known: KnownNames) -> list[str]:
    """The names in a piece of code that do not exist."""
    words = code.split()
    if code in {*MADE, FORM} or re.split("[:=]", words[0])[0] in FOREIGN:
        return []
    if MADE_UP.fullmatch(code):
        return []
    if PATH.fullmatch(code) and not code.startswith("/"):
        return [] if known.has_path(code) else [code]
    if ADDRESS.fullmatch(code):
        return [] if known.has_address(code) else [code]
    if words[0] == "make" and len(words) > 1:
        return [] if words[1] in known.targets else [code]
    if command := re.match(r"(?:northstrait|\S*python -m advisory_site) ([a-z][a-z-]*)(.*)", code):
        return missing_of_command(command[1], command[2], code)
    return [name for name in NAME.findall(MADE_UP.sub("", QUOTED.sub("", code))) if not exists(name, known)]


def missing_of_command(name: str, rest: str, code: str) -> list[str]:
    """A command line, if the site has no such command or the command no such option."""
    command = cli.main.commands.get(name)
    options = {option for parameter in command.params for option in parameter.opts} if command else set()
    return [] if command and set(re.findall(r"--[\w-]+", rest)) <= options else [code]


def exists(name: str, known: KnownNames) -> bool:
    if name.startswith(settings.PREFIX):
        return f'"{name.removeprefix(settings.PREFIX)}"' in Path(settings.__file__).read_text(encoding="utf-8")
    if name.startswith("State."):  # a state of whoever reads it
        name = name.removeprefix("State.")
    return (
        name in {"True", "False", "None", *cli.main.commands}
        or known.has_name(name)
        or known.has_name(name.removeprefix("advisory_"))  # a metric
    )


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text.relative_to(ROOT)))
def test_what_a_guide_names_exists(text: Path, known: KnownNames) -> None:
    wrong = [
        f"{text.relative_to(ROOT)}:{line}: {name}"
        for line, code in spans(text.read_text(encoding="utf-8"))
        if not (text == FOLLOWED and "notes" in code)
        for name in missing(code, known)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_a_readme_of_the_kit_lists_is_in_its_folder(known: KnownNames) -> None:
    wrong = []
    for readme in KIT_READMES:
        names = known.names_below(str(readme.parent.relative_to(ROOT)))
        for item in re.findall(r"^- .*(?:\n  .*)*", readme.read_text(encoding="utf-8"), re.MULTILINE):
            wrong += [
                f"{readme.relative_to(ROOT)}: {name}" for name in re.findall(r"`(\w+)`", item) if name not in names
            ]
    assert not wrong, "\n".join(wrong)


def test_each_guide_and_decision_is_linked_once_from_their_list() -> None:
    links = re.findall(r"\]\(([\w/-]+\.md)", (DOCS / "README.md").read_text(encoding="utf-8"))
    files = [str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if path.name != "README.md"]
    assert sorted(links) == sorted(files)


def test_no_constant_of_a_module_is_set_twice(known: KnownNames) -> None:
    assert known.set_twice == []
