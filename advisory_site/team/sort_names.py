"""Sort keys for names, by family name, whether it is written first or last."""

from sitekit.base.text import fold

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
# Titles before a name, and what stands behind it. "Er.", "Ar." and "Hon." without a full stop are names.
_BEFORE_NAMES = """
a/p a/prof adj adjunct ar. assoc associate asst assistant capt dame dr emeritus er. fr hon. ir lady lord madam mdm miss
mr mrs ms mx prof professor rev reverend sir
"""
_BEHIND_NAMES = "cbe cfa cpa esq ii iii iv jd jr junior kbe mba mbe md obe pbm phd senior sr"
_TITLES, _SUFFIXES = frozenset(_BEFORE_NAMES.split()), frozenset(_BEHIND_NAMES.split())
_LOCAL_TITLES = frozenset(("dato", "datin", "datuk", "haji", "hajah", "hj", "hjh", "puan", "tuan"))


def sort_name(name: str) -> str:
    """The sort key of a name: family name first, in plain lower-case letters, without titles and suffixes."""
    words, is_local = _without_titles(fold(name).split())
    if len(words) < 2 or _SON_OR_DAUGHTER_OF.intersection(words):
        return " ".join(words)
    comes_first = words[0] in _FIRST or ((is_local or len(words) > 2) and words[0] in _FIRST_OF_THREE)
    # Finds "Tay" in "Tay Wilson" and in "Wilson Tay"; if both words are family names, the first one counts.
    return " ".join(words) if comes_first else " ".join((words[-1], *words[:-1]))


def _without_titles(words: list[str]) -> tuple[list[str], bool]:
    """The words of a name without titles and suffixes; whether a Malay title says that the family name comes first."""
    is_local = False
    while len(words) > 1:
        if words[:2] in (["tan", "sri"], ["toh", "puan"]) and len(words) > 2:
            words, is_local = words[2:], True
        elif words[0].rstrip(".") in _LOCAL_TITLES or (is_local and words[0] in ("sri", "seri")):
            words, is_local = words[1:], True
        elif not _TITLES.isdisjoint((words[0], words[0].rstrip("."))):
            words = words[1:]
        elif words[-1].replace(".", "").strip(",()") in _SUFFIXES:
            words = [*words[:-2], words[-2].rstrip(",")]
        else:
            break
    return words, is_local
