"""A page with its texts marked: elements around them, and their originals in reading order."""

import pytest

from sitekit.base.text import text_name
from sitekit.server.ssr.marked_html import read_marks

pytestmark = pytest.mark.spec("COPY-2")
ASKED = ["A lead of the page", "The page | Firm", "What the page says", "A label for readers", "A closed branch"]


def mark(number: int, text: str = "") -> str:
    return f"\ue000{number}\ue001{text or ASKED[number]}\ue002"


def test_texts_are_found_in_reading_order_and_marks_go() -> None:
    html = (
        f'<head><title>{mark(1)}</title><meta content="{mark(2)}" name="description"/></head>'
        f'<body><nav aria-label="{mark(3)}"></nav><p>A lead: {mark(0)}</p></body>'
    )
    marked = read_marks(html, ASKED)
    name = text_name(ASKED[0])
    assert marked.html == (
        '<head><title>The page | Firm</title><meta content="What the page says" name="description"/></head>'
        f'<body><nav aria-label="A label for readers"></nav>'
        f'<p>A lead: <span data-text="{name}" id="text-{name}">A lead of the page</span></p></body>'
    )
    assert list(marked.is_shown.items()) == [
        (ASKED[1], False),
        (ASKED[2], False),
        (ASKED[3], False),
        (ASKED[0], True),
        (ASKED[4], False),
    ]
    assert (marked.title, marked.description) == (ASKED[1], ASKED[2])


def test_the_pieces_of_a_text_have_one_name_and_one_anchor() -> None:
    html = f"<h1>{mark(0, 'A lead of ')}<span>{mark(0, 'the page')}</span></h1>"
    marked = read_marks(html, ASKED[:1])
    assert marked.html.count(f'data-text="{text_name(ASKED[0])}"') == 2
    assert marked.html.count(" id=") == 1
    assert marked.is_shown == {ASKED[0]: True}


def test_a_text_for_screen_readers_is_known_by_the_text_before_it() -> None:
    hidden = f'<span class="visually-hidden"> <!-- -->{mark(0)}</span>'
    marked = read_marks(f"<p>{mark(2)}</p><a>Terms &amp; <!-- -->more{hidden}</a><p>{mark(3)}</p>", ASKED)
    assert marked.spoken_after == {ASKED[0]: "more"}


def test_a_heading_for_screen_readers_completes_nothing_and_is_not_visible() -> None:
    marked = read_marks(f'<p>{mark(1)}</p><h2 class="visually-hidden">{mark(0)}</h2><p>{mark(1)}</p>', ASKED[:2])
    assert (marked.is_shown, marked.spoken_after) == ({ASKED[1]: True, ASKED[0]: False}, {})


def test_scripts_and_styles_are_left_as_they_are() -> None:
    html = "<style>a>b{}</style><script>if (a<b) 1</script><p>x</p>"
    assert read_marks(html, []).html == html


def test_only_marks_of_this_rendering_are_read() -> None:
    def named(number: int, name: str) -> str:
        return f"\ue000{name}{number}\ue001Words\ue002"

    html = f"<p>{named(0, '5eed')}{named(0, '')}{named(0, '0ther')}{named(7, '5eed')}</p>"
    marked = read_marks(html, ASKED[:1], "5eed")
    assert marked.html.count("data-text") == 1
    assert marked.html.endswith(f"</span>{named(0, '')}{named(0, '0ther')}{named(7, '5eed')}</p>")
