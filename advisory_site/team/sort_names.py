"""Sort keys for names, by family name, whether it is written first or last."""

from sitekit.base.text import plain_letters

# Chinese, Vietnamese and Korean family names, which are written first, in plain letters. Those that are also given
# names elsewhere count only if two more words follow.
_FAMILY_NAMES = """
bui cai cao chan chang chen cheng cheong cheung chew chia chiang choo chow chu chua chung dang dao dinh do doan duong
fong foo goh guo hoang hsu hu huang huynh jiang koh kwok lai lam lau le leong leung li liang liao lim lin liu loh luo
luong luu ly ma ng ngo nguyen ong pang park peng pham phan phua phung qian quek seah shen sim soh sun tan tang tay teo
thai to toh tran trinh truong tsai vo vu wang wee wen wong woo wu xie xu yang yap yeo yip yong yuan zhang zhao zheng
zhou zhu
"""
_FIRST = frozenset(_FAMILY_NAMES.split())
_FIRST_OF_THREE = frozenset(
    ("han", "ho", "hong", "kang", "kim", "lee", "long", "low", "mai", "neo", "song", "su", "wei")
)
# Patronymic particles of Malay and Tamil names, which have no family name and are sorted as written.
_SON_OR_DAUGHTER_OF = frozenset(("bin", "binte", "binti", "bte", "s/o", "d/o", "a/l", "a/p"))


def sort_name(name: str) -> str:
    """The sort key of a name: family name first, in plain lower-case letters."""
    words = plain_letters(name).split()
    if len(words) < 2 or _SON_OR_DAUGHTER_OF.intersection(words):
        return " ".join(words)
    comes_first = words[0] in _FIRST or (len(words) > 2 and words[0] in _FIRST_OF_THREE)
    # Finds "Tay" in "Tay Wilson" and in "Wilson Tay"; if both words are family names, the first one counts.
    return " ".join(words) if comes_first else " ".join((words[-1], *words[:-1]))
