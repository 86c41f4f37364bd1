"""What the pages of fixed copy show of the records: founders' words, companies with their marks, faces of partners."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sitekit.base.typography import typeset
from sitekit.records.pictures.addresses import Picture
from sitekit.records.selection import computed

from .. import routes
from ..companies.fields import Metric, first_figure, logo_of, logo_picture, mark_picture, unquoted
from ..companies.service import COMPANIES
from ..components.profile import whole_sentences
from ..content.support import SUPPORT_AREAS

ON_HOME, ON_WHY_US = 1, 2  # quotations: Home has the first, Why Us the next ones
MOST_MARKS = 8
MOST_FACES = 3
MOST_CASES = 4  # of one support area
MOST_LETTERS = 320  # of a quotation; the company's page has the whole


def _has_logo(name: str, logo_url: str) -> bool:
    return logo_of(name, logo_url) != routes.PLACEHOLDER_COMPANY


def _has_mark(name: str, logo_url: str, mark_url: str) -> bool:
    return mark_picture(name, logo_url, mark_url).image_url != routes.PLACEHOLDER_COMPANY


@dataclass(frozen=True)
class Case:
    """A public company, with what proves the work."""

    slug: str = ""
    name: str = ""
    logo: Picture = computed(logo_picture, "name", "logo_url", default=Picture())
    mark: Picture = computed(mark_picture, "name", "logo_url", "mark_url", default=Picture())
    has_logo: bool = computed(_has_logo, "name", "logo_url", default=False)
    has_mark: bool = computed(_has_mark, "name", "logo_url", "mark_url", default=False)
    figure: Metric = computed(first_figure, "key_metrics", default=Metric())
    support_area: str = ""
    since: str = ""
    quote: str = computed(unquoted, "quote")
    quoted_name: str = ""
    quoted_role: str = ""
    is_featured: bool = False


@dataclass(frozen=True)
class Quotation:
    """What a founder says; `has_logo`: the company has a mark of its own. `case` is the path of its case."""

    words: str = ""
    name: str = ""
    role: str = ""
    slug: str = ""
    company: str = ""
    logo: Picture = field(default=Picture())
    has_logo: bool = False
    case: str = ""


@dataclass(frozen=True)
class CompanyMark:
    """A company with its mark."""

    slug: str
    name: str
    logo: Picture


@dataclass(frozen=True)
class NamedCompany:
    """A company by its name; `comma` stands before it."""

    slug: str
    name: str
    comma: str


@dataclass(frozen=True)
class AreaCases:
    """The companies of one support area: the first ones, and how many others there are."""

    shown: tuple[NamedCompany, ...] = ()
    others: int = 0


def read_cases() -> list[Case]:
    """The public companies: featured ones first, then by the year in which the work began, the latest first."""
    by_name = COMPANIES.read(lambda session: COMPANIES.select_public(session, Case))
    by_year = sorted(by_name, key=lambda case: case.since, reverse=True)
    return sorted(by_year, key=lambda case: not case.is_featured)


def quotations(cases: Sequence[Case]) -> list[Quotation]:
    """What founders say, long words cut after a sentence."""
    return [
        Quotation(
            _excerpt(case.quote), case.quoted_name, case.quoted_role, case.slug, case.name, case.logo, case.has_logo
        )
        for case in cases
        if case.quote.strip()
    ]


def marks(cases: Sequence[Case]) -> list[CompanyMark]:
    """The first companies that have a mark."""
    return [CompanyMark(case.slug, case.name, case.mark) for case in cases if case.has_mark][:MOST_MARKS]


def cases_by_area(cases: Sequence[Case]) -> list[AreaCases]:
    """The companies of each support area, in the order of `SUPPORT_AREAS`."""
    return [_area_cases([case for case in cases if case.support_area == typeset(area.title)]) for area in SUPPORT_AREAS]


def _area_cases(cases: Sequence[Case]) -> AreaCases:
    linked = cases[:MOST_CASES]
    others = len(cases) - len(linked)
    return AreaCases(
        tuple(
            NamedCompany(case.slug, case.name, _comma(number, len(linked), others > 0))
            for number, case in enumerate(linked)
        ),
        others,
    )


def _comma(number: int, count: int, goes_on: bool) -> str:
    """What stands before an item of a list in a sentence; with `goes_on`, "and" comes after its last item."""
    if number == 0:
        return ""
    return " and " if number == count - 1 and not goes_on else ", "


def _excerpt(words: str) -> str:
    words = " ".join(words.split()).strip("“”")
    if len(words) <= MOST_LETTERS:
        return words
    start = whole_sentences(words, MOST_LETTERS)
    return start if start.endswith("…") else f"{start} […]"
