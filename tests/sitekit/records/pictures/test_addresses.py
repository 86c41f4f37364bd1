"""The sizes and addresses of uploaded pictures."""

import pytest

from sitekit.records.pictures.addresses import (
    address_of,
    file_names,
    is_file_name,
    key_of,
    sizes_of,
    thumbnail_of,
    without_crop,
)
from tests.support.each import check_each

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
    assert thumbnail_of(address) == f"/media/{KEY}-{thumbnail}.webp"
    assert key_of(address) == KEY
    names = file_names(KEY, width)
    assert len(set(names)) == 3 * len(sizes) and address.removeprefix("/media/") in names


@pytest.mark.spec("IMG-2")
@pytest.mark.parametrize(
    "address",
    ["", "/images/person.svg", "https://cdn.example/me.jpg", f"/media/{KEY}-12345.jpg", f"/media/../{KEY}-1.jpg"],
)
def test_other_addresses_have_no_key_and_no_thumbnail(address: str) -> None:
    assert key_of(address) == ""
    assert thumbnail_of(address) == address


@pytest.mark.spec("IMG-2")
@pytest.mark.parametrize("crop", ["#0,100", "#30,5", "#50,50,3", "#100,0,1.5"])
def test_the_crop_is_kept_in_the_thumbnail_address_but_not_in_the_key(crop: str) -> None:
    address = f"/media/{KEY}-960.jpg{crop}"
    assert without_crop(address) == f"/media/{KEY}-960.jpg"
    assert thumbnail_of(address) == f"/media/{KEY}-320.webp{crop}"
    assert key_of(address) == KEY


@pytest.mark.spec("IMG-2")
def test_malformed_crops_are_not_recognised() -> None:
    def check(wrong: str) -> None:
        address = f"/media/{KEY}-960.jpg{wrong}"
        assert without_crop(address) == address
        assert key_of(address) == ""

    cases = ["#101,0", "#0,-1", "#50", "#50,50,4", "#50,50,3.5", "#50,50,1.55", "#a", "#1,1#", "#٣,1", "#1,1\n"]
    check_each(cases, check)


@pytest.mark.spec("IMG-3")
def test_file_names_are_not_accepted_as_descriptions() -> None:
    def check(text: str) -> None:
        assert is_file_name(text, "Harbour at night.jpg")

    cases = [
        "IMG_2041",
        "img 2041",
        "DSC0001.jpg",
        "photo.png",
        "Photo",
        "picture (2)",
        "PXL_20261121_101500",
        "IMG-20261121-WA0003",
        "Screenshot 2026-11-21 at 10.15.00",
        "20261121_101500",
        "2041",
        "The harbour.JPEG",
        "final_logo_v2",
        "  Harbour at Night.heic  ",
        "harbour at night",
    ]
    check_each(cases, check)


@pytest.mark.spec("IMG-3")
def test_sentences_are_accepted_as_descriptions() -> None:
    def check(text: str) -> None:
        assert not is_file_name(text, "Harbour at night.jpg")

    cases = [
        "The harbour at night",
        "Photo of Ann Lim",
        "Ann Lim, 2026",
        "Screen of the dashboard",
        "Pamela",
        "imgur",
        "\u65b0\u52a0\u5761\u6e2f\u53e3",
        "Version 2.0 of the plan",
    ]
    check_each(cases, check)
