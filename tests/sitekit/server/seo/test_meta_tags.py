"""The tags of a page for shared links: which picture they name."""

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
