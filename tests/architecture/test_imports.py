"""No module of the two packages imports itself by way of others."""

from graphlib import CycleError, TopologicalSorter

import grimp


def circle() -> list[str]:
    """The modules of a circle, each of which imports the next one, within a function or for types alone, too."""
    graph = grimp.build_graph("advisory_site", "sitekit", cache_dir=None)
    try:
        TopologicalSorter({each: graph.find_modules_directly_imported_by(each) for each in graph.modules}).prepare()
    except CycleError as error:
        return [*reversed(error.args[1])]
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    modules = circle()
    assert not modules, "\nimports ".join(modules)
