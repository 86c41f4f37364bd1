"""Pictures are copied between folders and S3-compatible stores with one command."""

from pathlib import Path

import pytest

from sitekit.records.pictures.addresses import file_name
from sitekit.records.pictures.storage import Store
from tests.support.cli import run
from tests.support.s3_server import KEY, SECRET, S3Server

pytestmark = pytest.mark.spec("IMG-5")

PICTURES = [file_name("0" * 32, width, "jpg") for width in (320, 480, 640)]


def test_pictures_are_copied_to_a_bucket_and_back(tmp_path: Path, s3_server: S3Server) -> None:
    first = Store(tmp_path / "first")
    for name in PICTURES:
        first.put(name, name.encode())
    bucket = s3_server.bucket()
    url = f"s3://{bucket}/site?endpoint={s3_server.endpoint}"
    credentials = {"MEDIA_KEY": KEY, "MEDIA_SECRET": SECRET}
    there = run(tmp_path, "copy-pictures", str(tmp_path / "first"), url, **credentials)
    assert (there.stdout, there.stderr) == ("Copied 3 files of pictures.\n", "")
    assert sorted(Store(s3_server.url(bucket, "/site")).names()) == PICTURES
    back = run(tmp_path, "copy-pictures", url, str(tmp_path / "second"), **credentials)
    assert back.returncode == 0
    assert [Store(tmp_path / "second").get(name) for name in PICTURES] == [name.encode() for name in PICTURES]


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        ("{here}/none", "{here}/new", "There are no pictures to copy."),
        ("{here}", "{here}/no/new", "There is no folder {here}/no."),
        ("{here}", "s3://no-bucket?{query}", "a picture cannot be written: there is no bucket 'no-bucket'."),
        ("{here}", "ftp://ann:secret-word@host/folder", "ADVISORY_MEDIA_URL is an address of kind 'ftp', but"),
    ],
)
def test_a_failed_copy_is_reported_in_one_sentence(
    tmp_path: Path, s3_server: S3Server, source: str, target: str, sentence: str
) -> None:
    Store(tmp_path).put(PICTURES[0], b"picture")
    values = {"here": tmp_path, "query": f"endpoint={s3_server.endpoint}"}
    places = (source.format(**values), target.format(**values))
    done = run(tmp_path, "copy-pictures", *places, MEDIA_KEY=KEY, MEDIA_SECRET=SECRET)
    assert done.returncode == 1
    assert sentence.format(**values) in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "secret-word" not in done.stderr
