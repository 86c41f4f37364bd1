"""The sizes and addresses of uploaded pictures."""

import pytest

from advisory_site.core.pictures import address_of, file_names, key_of, sizes_of, thumbnail_of

KEY = "0123456789abcdef" * 2


@pytest.mark.spec("IMG-2")
@pytest.mark.parametrize(
    ("width", "sizes", "default", "thumbnail"),
    [
        (16, (16,), 16, 16),
        (320, (320,), 320, 320),
        (321, (320, 321), 321, 320),
        (1000, (320, 480, 640, 960, 1000), 960, 320),
        (1920, (320, 480, 640, 960, 1280, 1920), 960, 320),
        (4000, (320, 480, 640, 960, 1280, 1920), 960, 320),
    ],
)
def test_a_picture_is_never_made_larger(width: int, sizes: tuple[int, ...], default: int, thumbnail: int) -> None:
    assert sizes_of(width) == sizes
    address = address_of(KEY, width)
    assert address == f"/media/{KEY}-{default}.jpg"
    assert thumbnail_of(address) == f"/media/{KEY}-{thumbnail}.jpg"
    assert key_of(address) == KEY
    names = file_names(KEY, width)
    assert len(set(names)) == 3 * len(sizes) and address.removeprefix("/media/") in names


@pytest.mark.spec("IMG-2")
@pytest.mark.parametrize(
    "address",
    ["", "/images/person.svg", "https://cdn.example/me.jpg", f"/media/{KEY}-12345.jpg", f"/media/../{KEY}-1.jpg"],
)
def test_any_other_address_is_no_uploaded_picture(address: str) -> None:
    assert key_of(address) == ""
    assert thumbnail_of(address) == address
