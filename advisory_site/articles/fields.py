"""What a card, a page and a row of the list show of an article."""

from dataclasses import dataclass, field

from sitekit.base.text import is_unspaced
from sitekit.records.fields.date import short_date
from sitekit.records.pictures.addresses import Picture, picture_at
from sitekit.records.selection import computed

from .. import routes
from ..components.mentions import Mention

WORDS_PER_MINUTE = 220
LETTERS_PER_MINUTE = 400  # of scripts without spaces between words


def minutes_of(text: str) -> int:
    """How long a text takes to read; at least a minute."""
    letters = {ord(letter): " " for letter in set(text) if is_unspaced(letter)}
    # Most words are letters alone, which is seen much faster.
    words = sum(word.isalnum() or any(map(str.isalnum, word)) for word in text.translate(letters).split())
    unspaced = sum(text.count(chr(letter)) for letter in letters)
    return max(1, round(words / WORDS_PER_MINUTE + unspaced / LETTERS_PER_MINUTE))


@dataclass(frozen=True)
class ArticleCard:
    """An article as lists show it."""

    slug: str = ""
    name: str = ""
    summary: str = ""
    author_name: str = ""
    written_on: str = ""
    iso_date: str = computed(str, "written_on")
    minutes: int = computed(minutes_of, "text", default=1)
    topics: tuple[str, ...] = ()
    case_of: str = ""


@dataclass(frozen=True)
class ArticlePage(ArticleCard):
    """An article as its own page shows it; its text is made into HTML apart. `told_at` is when readers were told."""

    cover: Picture = computed(picture_at, "cover_url", default=Picture())
    told_at: str = ""


@dataclass(frozen=True)
class Author:
    """The advisor who wrote an article; without a slug, nobody whom visitors see."""

    name: str = ""
    slug: str = ""
    page: str = computed(routes.advisor_page, "slug")
    role: str = computed(str, "title")
    picture: Picture = computed(picture_at, "image_url", default=Picture())


@dataclass(frozen=True)
class MemberAuthor(Author):
    """The member who wrote it."""

    page: str = computed(routes.team_profile_page, "slug")
    role: str = computed(str, "designation")


@dataclass(frozen=True)
class ShownArticle:
    """An article with its text as HTML, its author, the companies it speaks of, others by the author, the next case."""

    article: ArticlePage = ArticlePage()
    html: str = ""
    author: Author = Author()
    companies: tuple[Mention, ...] = ()
    others: tuple[ArticleCard, ...] = ()
    next_case: ArticleCard = field(default=ArticleCard())


@dataclass(frozen=True)
class LinkedCase:
    """What the link to a case needs."""

    slug: str = ""
    case_of: str = ""


@dataclass(frozen=True)
class FeedArticle:
    """An article as the feed has it, with its text, in Markdown as stored."""

    id: int = 0
    slug: str = ""
    name: str = ""
    summary: str = ""
    author_name: str = ""
    written_on: str = computed(str, "written_on")
    told_at: str = ""
    topics: tuple[str, ...] = ()
    html: str = computed(str, "text")


@dataclass(frozen=True)
class ArticleRow:
    """An article as the back office lists it."""

    id: int = 0
    slug: str = ""
    name: str = ""
    author_name: str = ""
    written_on: str = computed(short_date, "written_on")
    is_active: bool = False
