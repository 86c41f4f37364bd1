"""Every command of docs/deploy.md is run by `make guide`, or on the list of those that cannot be."""

import ast
from collections.abc import Iterator
from pathlib import Path

from deploy.checks.guide.commands import all_commands, block_of, name_of
from deploy.checks.guide.not_run import NOT_RUN

SCRIPT = Path(__file__).with_name("__main__.py")


def run() -> Iterator[str]:
    """The names of the commands that the script runs, as its source says."""
    for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr="printed"), args=[ast.Constant(value=str(command)), *_]):
                yield name_of(command)
            case ast.Call(
                func=ast.Attribute(attr="follow") | ast.Name(id="block_of"),
                args=[ast.Constant(value=str(section)), ast.Constant(value=int(number)), *_],
            ):
                yield from map(name_of, block_of(section, number).commands)


def test_each_command_is_run_or_on_the_list_of_those_that_cannot_be() -> None:
    assert len(all_commands()) > 80
    ran = set(run())
    assert [command for command in all_commands() if command not in ran and command not in NOT_RUN] == []


def test_the_script_and_the_list_name_no_command_that_the_guide_does_not_have() -> None:
    assert [command for command in (*run(), *NOT_RUN) if command not in all_commands()] == []


def test_nothing_is_on_the_list_that_is_run() -> None:
    assert set(run()) & NOT_RUN.keys() == set()
