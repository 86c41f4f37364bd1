"""Which page an address belongs to."""

from sitekit.app.site_app import SiteApp
from sitekit.server.ssr.routing import Match, Route, RouteTable
from tests.support.each import check_each


def found(table: RouteTable, path: str) -> Match:
    """The page of an address that has one."""
    match = table.match(path)
    assert match
    return match


TABLE = RouteTable([Route("/"), Route("/companies"), Route("/companies/[slug]"), Route("404")])


def test_a_fixed_path_matches_its_route() -> None:
    assert found(TABLE, "/companies").route == Route("/companies")


def test_a_path_with_a_parameter_gives_its_value() -> None:
    match = found(TABLE, "/companies/kelp")
    assert (match.route, match.params) == (Route("/companies/[slug]"), {"slug": "kelp"})


def test_other_paths_match_no_route() -> None:
    def check(path: str) -> None:
        assert TABLE.match(path) is None

    check_each(["/nope", "/companies/", "/companies/a/b", "//companies", "/404", "404", ""], check)


def test_every_route_of_the_site_matches_its_own_path(app: SiteApp) -> None:
    table = RouteTable(app.routes)
    for route in app.routes:
        if route.route != "404":
            assert found(table, route.route.replace("[slug]", "x").replace("[id]", "1")).route == route


def test_a_declared_query_of_a_route_makes_a_separate_document() -> None:
    table = RouteTable([Route("/", queries=("email=confirmed",)), Route("/companies")])
    assert found(table, "/").with_query("email=confirmed").query == "email=confirmed"
    for spelling in ("utm_source=x&email=confirmed", "email=confirmed&fbclid=y&gclid"):
        assert found(table, "/").with_query(spelling).query == "email=confirmed"
    for other in ("", "email=confirmed&x=1", "email", "EMAIL=confirmed", "email=confirmed&", "email=confirmed&_ga=1"):
        assert found(table, "/").with_query(other) is found(table, "/")
    assert found(table, "/companies").with_query("email=confirmed").query == ""
    # A path that only looks like one.
    assert table.match("/?email=confirmed") is None
