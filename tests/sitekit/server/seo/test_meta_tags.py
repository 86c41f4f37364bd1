"""The tags of a page for shared links: which picture they name, and names that look like markup."""

import json
from html.parser import HTMLParser

import pytest

from sitekit.server.seo.meta_tags import CARD, PageMeta, head_tags
from sitekit.server.ssr.routing import PageContext

HOST = "https://img.example"


@pytest.mark.parametrize(
    ("image", "shared"),
    [
        (f"{HOST}/p.jpg?w=400", f"{HOST}/p.jpg?w=400"),
        (f"{HOST}/P.PNG?a=b&amp;c", f"{HOST}/P.PNG?a=b&amp;amp;c"),
        (f"{HOST}/p.webp#top", f"{HOST}/p.webp#top"),
        ("/images/p.jpeg?v=2", "https://firm.example/images/p.jpeg?v=2"),
        (f"{HOST}/p.svg?as=.png", f"https://firm.example{CARD}"),
        (f"{HOST}/?file=p.jpg", f"https://firm.example{CARD}"),
    ],
)
def test_a_picture_is_shared_if_its_path_names_a_photograph(image: str, shared: str) -> None:
    context = PageContext("https://firm.example", "/", "Title", "Text", {})
    tags = head_tags(lambda _: PageMeta(image=image), "Firm", context)
    assert f'<meta property="og:image" content="{shared}">' in tags


class Tags(HTMLParser):
    """The elements of a head with their attributes, and the text in them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_name_with_markup_ends_no_attribute_and_no_script() -> None:
    name = 'Kelp "& Co"</script><img src=x>'
    context = PageContext("https://firm.example", "/", name, name, {})
    tags = Tags(head_tags(lambda _: PageMeta(graph=[{"@type": "Organization", "name": name}]), "Firm", context))
    assert {tag for tag, _ in tags.elements} == {"link", "meta", "script"}
    contents = {
        attributes.get("property") or attributes.get("name"): attributes.get("content")
        for _, attributes in tags.elements
    }
    assert [contents[key] for key in ("og:title", "og:description", "twitter:title", "twitter:description")] == [
        name
    ] * 4
    assert json.loads(tags.text)["@graph"][0]["name"] == name
