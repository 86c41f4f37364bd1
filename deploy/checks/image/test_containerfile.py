"""The reader of the Containerfile, and what our own and .dockerignore say."""

import runpy
import subprocess
from pathlib import Path

import pytest

from deploy.checks.image.builder import BASE
from deploy.checks.image.compose import settings_of_the_guide
from deploy.checks.image.containerfile import NotKnown, ignored, parse, substitute
from deploy.checks.image.contents import PLANTED

ROOT = Path(__file__).parents[3]
STAGES = parse((ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8"))
IS_IGNORED = ignored((ROOT / ".dockerignore").read_text(encoding="utf-8"))


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name]


def test_all_instructions_of_the_image_are_known() -> None:
    build, final = STAGES
    assert BASE.fullmatch(build.base) and final.base == build.base
    assert [one.name for one in final.instructions][-1] == "CMD"
    copies = [one for one in final.instructions if one.name == "COPY"]
    assert [(one.options, one.text) for one in copies] == [({"from": build.name, "chown": "root:root"}, "/site /site")]


def test_all_that_the_image_copies_is_sent_to_the_builder() -> None:
    sent = [name for name in tracked() if not IS_IGNORED(name)]
    copies = [one.text.split() for one in STAGES[0].instructions if one.name == "COPY"]
    for name in (name for words in copies for name in words[:-1]):
        assert name in sent or any(file.startswith(f"{name}/") for file in sent), f"{name} is kept out by .dockerignore"


def test_nothing_private_or_generated_is_sent_to_the_builder() -> None:
    assert [name for name in PLANTED if not IS_IGNORED(name)] == []
    parts = runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"]
    assert [name for name in tracked() if not IS_IGNORED(name) and name.split("/")[0] not in parts] == []


@pytest.mark.parametrize(
    "line",
    [
        "ADD https://example.com/file /",
        "ONBUILD RUN true",
        "RUN --mount=type=cache,target=/x true",
        "COPY --link a b",
        "RUN <<END",
        "HEALTHCHECK true",
        "CMD [wrong",
    ],
)
def test_what_is_not_known_is_refused(line: str) -> None:
    with pytest.raises(NotKnown, match="line 2: "):
        parse(f"FROM a\n{line}\n")


def test_lines_go_on_over_comments() -> None:
    (stage,) = parse("# a comment\nFROM a AS b\nrun one \\\n# another\n    && two\n\nRUN three")
    assert (stage.base, stage.name) == ("a", "b")
    assert [(one.line, " ".join(one.text.split())) for one in stage.instructions] == [(3, "one && two"), (7, "three")]


def test_variables_are_replaced_as_docker_does() -> None:
    text = r"$SET ${SET}1 ${SET:-x} ${SET:+y} ${NOT:-x} ${NOT:+y} ${NOT}. \$SET"
    assert substitute(text, {"SET": "s"}) == "s s1 s y x  . $SET"


def test_the_last_rule_of_dockerignore_counts() -> None:
    is_ignored = ignored("# all\n*\n!site\n**/cache\nsite/*.log\n!site/kept.log\n")
    files = ("site/a.py", "site/b/cache/c", "site/cache", "other/a.py", "site/x.log", "site/kept.log", "site/b/x.log")
    assert [name for name in files if not is_ignored(name)] == ["site/a.py", "site/kept.log", "site/b/x.log"]


def test_the_guide_prints_the_settings_of_the_cluster() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    lines = [line for line in settings_of_the_guide(guide).splitlines() if not line.startswith("#")]
    settings = dict(line.split("=", 1) for line in lines)
    assert settings["SITE_ADDRESS"] and len(settings["SECRET_KEY"]) == 64
