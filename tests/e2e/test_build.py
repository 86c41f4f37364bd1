"""The finished build: nothing in its scripts differs from that of another folder or time."""

import json

from tests.conftest import ROOT

WEB = ROOT / ".web"


def test_built_scripts_contain_neither_project_hash_nor_build_time() -> None:
    build = json.loads((WEB / "reflex.json").read_text(encoding="utf-8"))
    own = {str(build["project_hash"]), build["last_reflex_run_datetime"]}
    scripts = list((WEB / "build" / "client" / "assets").glob("*.js"))
    assert scripts
    assert [file.name for file in scripts if any(value in file.read_text(encoding="utf-8") for value in own)] == []
