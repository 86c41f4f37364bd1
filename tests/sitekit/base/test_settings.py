"""Settings: defaults, and one plain sentence for every wrong value."""

import re
from itertools import product
from pathlib import Path

import pytest

from sitekit.base.settings import Settings, WrongSetting
from tests.support.each import check_each

ROOT = Path(__file__).parents[3]


def test_a_local_start_needs_no_settings() -> None:
    settings = Settings.from_environment({})
    assert settings.env == "local"
    assert settings.public_url == "http://localhost:3000"
    assert settings.database_url.startswith("sqlite:///")
    assert settings.database_url.endswith("/.data/advisory.db")


@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgresql_needs_one_setting(scheme: str) -> None:
    settings = Settings.from_environment({"ADVISORY_DATABASE_URL": f"{scheme}://u:p@db/firm"})
    assert settings.database_url == "postgresql+psycopg://u:p@db/firm"


def test_an_invalid_value_stops_the_start_with_one_sentence() -> None:
    def check(case: tuple[str, str, str]) -> None:
        name, value, sentence = case
        with pytest.raises(WrongSetting) as caught:
            Settings.from_environment({f"ADVISORY_{name}": value})
        assert str(caught.value).startswith(sentence)

    cases = [
        ("ENV", "prod", "ADVISORY_ENV is 'prod', but it must be 'local' or 'production'."),
        ("PUBLIC_URL", "northstrait", "ADVISORY_PUBLIC_URL is 'northstrait', but it must be an http://"),
        ("PUBLIC_URL", "http://[::1", "ADVISORY_PUBLIC_URL is 'http://[::1', but it must be an http://"),
        ("SMTP_URL", "smtp://[::1", "ADVISORY_SMTP_URL is an address of kind 'smtp', but it must be smtp://"),
        (
            "DATABASE_URL",
            "mysql+pymysql://u:p@db/firm",
            "ADVISORY_DATABASE_URL is an address of kind 'mysql+pymysql',",
        ),
        (
            "SENTRY_DSN",
            "https://tracker.example/7",
            "ADVISORY_SENTRY_DSN is an address of kind 'https', but it must be",
        ),
        ("SENTRY_DSN", "https://key@tracker.example/x", "ADVISORY_SENTRY_DSN is an address of kind 'https', but it"),
        ("OTLP_URL", "collector:4318", "ADVISORY_OTLP_URL is 'collector:4318', but it must be an http://"),
        (
            "DATABASE_CONNECTIONS",
            "0",
            "ADVISORY_DATABASE_CONNECTIONS is '0', but it must be a whole number from 1 to 1000",
        ),
        ("SOCKETS", "9" * 5000, "ADVISORY_SOCKETS is '999"),
        ("DATA_DIR", "~nobody-here/data", "ADVISORY_DATA_DIR is '~nobody-here/data', but it must be a folder"),
        ("ADMIN_EMAIL", "ann", "ADVISORY_ADMIN_EMAIL is 'ann', but it must be an email address."),
        ("MAIL_FROM", "site@localhost", "ADVISORY_MAIL_FROM is 'site@localhost', but it must be an email address."),
        ("SHARED_CACHE", "yes", "ADVISORY_SHARED_CACHE is 'yes', but it must be 'off' or 'on'."),
        ("PURGE_URL", "https://cdn.example", "ADVISORY_PURGE_URL is set, but it must be empty unless ADVISORY_SHARED"),
        ("PURGE_URL", "cdn.example/purge", "ADVISORY_PURGE_URL is not an address, but it must be an http:// or https"),
        ("PURGE_URL", "https://ann:p@cdn.example", "ADVISORY_PURGE_URL is an address of kind 'https', but it must be"),
        ("TRUSTED_PROXIES", "-1", "ADVISORY_TRUSTED_PROXIES is '-1', but it must be a whole number from 0 to 10."),
        (
            "LOCK_TIMEOUT_MS",
            "0.2",
            "ADVISORY_LOCK_TIMEOUT_MS is '0.2', but it must be a whole number from 0 to 60000.",
        ),
    ]
    check_each(cases, check)


def test_a_purge_url_is_read_for_a_shared_cache() -> None:
    url = "https://api.cdn.example/zones/1/purge_cache?now=1"
    settings = Settings.from_environment({"ADVISORY_SHARED_CACHE": "on", "ADVISORY_PURGE_URL": url})
    assert (settings.has_shared_cache, settings.purge_url, settings.purge_token) == (True, url, "")
    assert not Settings.from_environment({}).has_shared_cache


@pytest.mark.parametrize("name", ["DATABASE_URL", "SMTP_URL"])
def test_an_invalid_url_is_refused_without_showing_its_password(name: str) -> None:
    with pytest.raises(WrongSetting) as caught:
        Settings.from_environment({f"ADVISORY_{name}": "mysql://ann:hunter2@db/firm"})
    assert f"ADVISORY_{name}" in str(caught.value)
    assert "mysql" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_an_invalid_port_stops_the_start_without_showing_the_password() -> None:
    def check(case: tuple[str, tuple[str, str]]) -> None:
        port, (name, address) = case
        with pytest.raises(WrongSetting) as caught:
            Settings.from_environment({f"ADVISORY_{name}": address.format(port=port)})
        assert f"ADVISORY_{name}" in str(caught.value)
        assert "hunter2" not in str(caught.value)

    check_each(
        product(
            ["99999", "0", "abc", "-1", "25x"],
            [
                ("SMTP_URL", "smtp://ann:hunter2@mail.example:{port}"),
                ("SMTP_URL", "smtps://mail.example:{port}"),
                ("PUBLIC_URL", "https://northstrait.example:{port}"),
                ("DATABASE_URL", "postgresql://ann:hunter2@db:{port}/firm"),
                ("REDIS_URL", "redis://:hunter2@redis:{port}/0"),
                ("REDIS_URL", "redis://:hunter2@redis:6379/x{port}"),
            ],
        ),
        check,
    )


@pytest.mark.spec("DATA-3")
@pytest.mark.parametrize(
    "rest",
    [
        "p/#?:%[]& ss@db/firm",
        "p@db/firm?sslmode=require&connect_timeout=9",
        "p@/firm?host=/run/postgresql",
        "p%40ss@db",
    ],
)
def test_a_database_address_that_works_is_left_as_it_is(rest: str) -> None:
    settings = Settings.from_environment({"ADVISORY_DATABASE_URL": f"postgresql://u:{rest}"})
    assert settings.database_url == f"postgresql+psycopg://u:{rest}"


def test_a_port_behind_the_question_mark_is_a_number() -> None:
    with pytest.raises(WrongSetting, match="wrong host or port behind the"):
        Settings.from_environment({"ADVISORY_DATABASE_URL": "postgresql://u:p@/firm?host=db&port=x"})


def test_a_valid_url_is_left_unchanged() -> None:
    def check(case: tuple[str, str]) -> None:
        name, address = case
        settings = Settings.from_environment({f"ADVISORY_{name}": address})
        assert getattr(settings, name.lower()) == address

    cases = [
        ("SMTP_URL", "smtp://ann:p:a%2Fs@mail.example"),
        ("SMTP_URL", 'smtps://ann%40firm.example:p@ s$"@mail.example:465'),
        ("SMTP_URL", "smtp://[2001:db8::1]:2525"),
        ("SMTP_URL", "smtp://[2001:db8::1]"),
        ("DATABASE_URL", "postgresql+psycopg://ann:p:a?s@[::1]:5432/firm?sslmode=require"),
        ("REDIS_URL", "redis://:p@ss:1x@redis"),
        ("REDIS_URL", "rediss://redis:6380/3?ssl_cert_reqs=none"),
        ("REDIS_URL", "unix:///run/redis.sock?db=1"),
        ("DATABASE_URL", "postgresql+psycopg://ann:p/a%40s#?@db.:5432/firm"),
        ("DATABASE_URL", "sqlite:////srv/o'brien/$1 a?b.db"),
    ]
    check_each(cases, check)


def test_a_sqlite_database_is_a_file_and_in_production_at_a_whole_path() -> None:
    secret = "0123456789abcdefghijklmnopqrstuvwxyz"
    production = {"ADVISORY_ENV": "production", "ADVISORY_SECRET_KEY": secret, "ADVISORY_SIGN_UP": "closed"}

    def check(case: tuple[str, bool, bool]) -> None:
        url, *expected = case
        for environ, is_right in zip(({}, production), expected, strict=True):
            try:
                read = Settings.from_environment(environ | {"ADVISORY_DATABASE_URL": url}).database_url
                assert (read, is_right) == (url, True)
            except WrongSetting as refused:
                assert not is_right
                assert str(refused).startswith(
                    f"ADVISORY_DATABASE_URL is '{url}', but it must be sqlite:/// and the whole"
                )

    cases = [
        ("sqlite:///", False, False),
        ("sqlite:///?mode=rw", False, False),
        ("sqlite:///:memory:", False, False),
        ("sqlite:///~/a.db", False, False),
        ("sqlite:///~ann/a.db", False, False),
        ("sqlite:///file:~/a.db?uri=true", False, False),
        ("sqlite:///a.db", True, False),
        ("sqlite:///./a.db", True, False),
        ("sqlite:///folder/a.db", True, False),
        ("sqlite:///file:a.db?uri=true", True, False),
        ("sqlite:////srv/a.db", True, True),
        ("sqlite:////srv/a%20b.db?timeout=9", True, True),
        ("sqlite:///file:/srv/a.db?mode=ro&uri=true", True, True),
    ]
    check_each(cases, check)


def test_the_public_address_is_written_as_browsers_write_it() -> None:
    def check(case: tuple[str, str]) -> None:
        typed, origin = case
        settings = Settings.from_environment({"ADVISORY_PUBLIC_URL": typed})
        assert settings.public_url == origin
        assert origin in settings.allowed_origins

    cases = [
        ("HTTPS://Example.SG:443", "https://example.sg"),
        ("http://Localhost:4344", "http://localhost:4344"),
        ("http://localhost:80/", "http://localhost"),
        ("https://example.sg:0443", "https://example.sg"),
        ("https://example.sg.:8443", "https://example.sg:8443"),
        ("https://example.sg:", "https://example.sg"),
        ("http://example.sg:443", "http://example.sg:443"),
        ("https://Büro.example", "https://xn--bro-hoa.example"),
        ("https://straße.example", "https://xn--strae-oqa.example"),
        ("https://ｅｘａｍｐｌｅ。sg", "https://example.sg"),
        ("http://[2001:DB8:0::1]:80", "http://[2001:db8::1]"),
        ("http://my_app:3000", "http://my_app:3000"),
        (" http://203.0.113.7./ ", "http://203.0.113.7"),
    ]
    check_each(cases, check)


@pytest.mark.parametrize("name", ["PUBLIC_URL", "OTLP_URL"])
def test_an_address_that_browsers_write_in_another_way_is_refused(name: str) -> None:
    addresses = (
        *("https://example.sg?", "https://example.sg#", "https://example.sg#x", "https://exa mple.sg"),
        *("https://exa\tmple.sg", "https:\\\\example.sg", "https:///example.sg", "https://example..sg"),
        *("https://ex%61mple.sg", "http://127.1", "http://0x7f.0.0.1", "http://010.0.0.1", "http://2130706433"),
        *("http://[fe80::1%eth0]", "http://::1", "https://☃.example", "https://" + "a" * 64 + ".example"),
    )
    accepted = []
    for address in addresses:
        try:
            accepted.append(Settings.from_environment({f"ADVISORY_{name}": address}))
        except WrongSetting as refused:
            assert f"ADVISORY_{name} is '{address}'" in str(refused) and "such as https://www.example.com" in str(
                refused
            )
    assert accepted == []


SIGNS = ("@", "/", "#", "?", "%", "[", "]", "&", " ", "+", "\\", "%41", ":", "@/", "?x=", "//")
URLS_WITH_PASSWORDS = (
    ("DATABASE_URL", "postgresql://u:{}@127.0.0.1:1/x"),
    ("DATABASE_URL", "postgresql://127.0.0.1:1/x?user=u&password={}"),
    ("REDIS_URL", "redis://:{}@127.0.0.1:1/0"),
    ("SMTP_URL", "smtp://u:{}@127.0.0.1:1"),
    ("MEDIA_URL", "s3://key:{}@bucket?endpoint=http://127.0.0.1:1"),
    ("BACKUP_TO", "s3://key:{}@bucket?endpoint=http://127.0.0.1:1"),
    ("BACKUP_TO", "s3:/key:{}@bucket"),
    ("SENTRY_DSN", "https://key:{}@127.0.0.1:1/x"),
    ("OTLP_URL", "http://u:{}@127.0.0.1:1"),
    ("PUBLIC_URL", "http://u:{}@127.0.0.1:1"),
    ("PURGE_URL", "http://u:{}@127.0.0.1:1"),
)


def test_no_piece_of_a_password_is_shown_however_it_is_written() -> None:
    def check(case: tuple[tuple[str, str], str]) -> None:
        (name, address), sign = case
        try:
            Settings.from_environment({f"ADVISORY_{name}": address.format(f"QwerZyx{sign}JklmNop97")})
        except WrongSetting as refused:
            assert [piece for piece in ("Qwer", "Zyx", "Jklm", "Nop97") if piece in str(refused)] == []

    check_each(product(URLS_WITH_PASSWORDS, SIGNS), check)


@pytest.mark.spec("DATA-3")
def test_a_database_password_with_an_unescaped_at_sign_is_refused() -> None:
    def check(address: str) -> None:
        with pytest.raises(WrongSetting, match="%40 for each @") as caught:
            Settings.from_environment({"ADVISORY_DATABASE_URL": address})
        assert "Tail" not in str(caught.value)

    cases = [
        "postgresql://u:Se@cretTail99@127.0.0.1/x",
        "postgresql://u:p@ss/wordTail@127.0.0.1/x",
        "postgresql://u:p@ss?wordTail=1@127.0.0.1/x",
        "postgresql://u:p@ss:wordTail@127.0.0.1/x",
        "postgresql://127.0.0.1:5432/x?user=u&password=Se@cretTail",
    ]
    check_each(cases, check)


@pytest.mark.spec("DATA-3")
def test_an_option_that_postgresql_does_not_know_is_refused_by_its_name() -> None:
    def check(option: str) -> None:
        with pytest.raises(WrongSetting, match=f"'{option}' behind the \\?, which PostgreSQL's clients do not know"):
            Settings.from_environment({"ADVISORY_DATABASE_URL": f"postgresql://u:p@db/firm?{option}=5&sslmode=prefer"})

    check_each(["pool_size", "pgbouncer", "schema", "ssl", "sslMode", "autocommit", "prepare_threshold"], check)


def test_a_password_that_ends_a_url_too_early_is_refused() -> None:
    def check(case: tuple[tuple[str, str], str]) -> None:
        (name, address), password = case
        with pytest.raises(WrongSetting) as caught:
            Settings.from_environment({f"ADVISORY_{name}": address.format(password)})
        assert f"ADVISORY_{name}" in str(caught.value)
        assert "%2F for each /" in str(caught.value)
        assert "hun" not in str(caught.value) and "ter2" not in str(caught.value)

    check_each(
        product(
            [
                ("SMTP_URL", "smtp://user:{}@mail.example:587"),
                ("SMTP_URL", "smtps://{}:word@mail.example"),
                ("REDIS_URL", "redis://:{}@redis:6379/0"),
                ("REDIS_URL", "rediss://{}:word@redis"),
            ],
            ["hun/ter2", "hun#ter2", "hun?ter2", "12/34hunter2", "hun[ter2", "hun\tter2", "/hunter2"],
        ),
        check,
    )


@pytest.mark.parametrize(
    "address",
    [
        "smtp://user@mail.example",
        "smtp://:hunter2@mail.example",
        "smtp://user:hunter2ß@mail.example",
        "smtp://user:hunter2%C3%A4@mail.example",
        "smtp://user:hunter2@mail example",
        "smtp://user:hunter2@mail.example/hunter2",
        "smtp://user:hunter2@mail.example?tls=hunter2",
        "smtp://user:hunter2@mail.example#hunter2",
    ],
)
def test_a_mail_server_with_which_nothing_could_be_sent_is_refused(address: str) -> None:
    with pytest.raises(WrongSetting, match="ADVISORY_SMTP_URL") as caught:
        Settings.from_environment({"ADVISORY_SMTP_URL": address})
    assert "hunter2" not in str(caught.value)


def test_the_scheme_of_a_url_may_be_in_capitals() -> None:
    def check(case: tuple[str, str, str]) -> None:
        name, typed, read = case
        keys = {"MEDIA_KEY": "k", "MEDIA_SECRET": "s", "BACKUP_KEY": "k", "BACKUP_SECRET": "s", name: typed}
        settings = Settings.from_environment({f"ADVISORY_{key}": value for key, value in keys.items()})
        assert getattr(settings, name.lower()) == read

    cases = [
        ("SMTP_URL", "SMTP://Ann:P%2Fw@Mail.Example.:587/", "smtp://Ann:P%2Fw@mail.example:587"),
        ("SMTP_URL", "smtps://büro.example", "smtps://xn--bro-hoa.example"),
        ("REDIS_URL", "REDIS://:P@Redis:6379/0", "redis://:P@Redis:6379/0"),
        ("MEDIA_URL", "S3://key:secret@Bucket/Folder", "s3://key:secret@Bucket/Folder"),
        ("MEDIA_URL", "S3://bucket", "s3://k:s@bucket"),
        ("BACKUP_TO", "S3://bucket", "s3://k:s@bucket"),
        ("DATABASE_URL", "PostgreSQL://u:P@DB/Firm", "postgresql+psycopg://u:P@DB/Firm"),
    ]
    check_each(cases, check)


def test_a_folder_written_for_a_shell_is_refused() -> None:
    def check(case: tuple[str, str]) -> None:
        name, value = case
        with pytest.raises(WrongSetting) as caught:
            Settings.from_environment({f"ADVISORY_{name}": value})
        assert str(caught.value).startswith(
            f"ADVISORY_{name} is '{value}', but it must be a folder, without quotation marks"
        )

    check_each(
        product(
            ["DATA_DIR", "BACKUP_TO"],
            ['"/data"', "'/srv/data'", "`pwd`/data", "“/data”", "$HOME/data", "${HOME}/data", "/srv/$SITE", "$(pwd)"],
        ),
        check,
    )


def test_only_production_needs_the_whole_path_of_a_folder() -> None:
    production = {"ADVISORY_ENV": "production", "ADVISORY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz"}
    production["ADVISORY_SIGN_UP"] = "closed"
    for name in ("DATA_DIR", "BACKUP_TO"):
        for value in ("data", "./data", "../data", "file:/data"):
            assert Settings.from_environment({f"ADVISORY_{name}": value})
            with pytest.raises(WrongSetting, match=f"ADVISORY_{name} is '{value}', but it must be the whole path"):
                Settings.from_environment(production | {f"ADVISORY_{name}": value})
    settings = Settings.from_environment(production | {"ADVISORY_DATA_DIR": "/srv/o'brien & co/1$"})
    assert str(settings.data_dir) == "/srv/o'brien & co/1$"


@pytest.mark.parametrize(
    ("value", "password"),
    [
        (" a quiet evening ", " a quiet evening "),
        ("evening\t", "evening\t"),
        ("\u00a0evening", "\u00a0evening"),
        ("evening \r\n", "evening "),
        ("  ", ""),
    ],
)
def test_a_password_keeps_its_spaces(value: str, password: str) -> None:
    assert Settings.from_environment({"ADVISORY_ADMIN_PASSWORD": value}).admin_password == password


def test_the_table_of_settings_has_each_with_its_default() -> None:
    source = (ROOT / "sitekit" / "base" / "settings.py").read_text(encoding="utf-8")
    table = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`ADVISORY_.*?) \| (.*?) \| ", table, re.MULTILINE)
    listed = [(name, default) for names, default in rows for name in re.findall(r"`ADVISORY_([A-Z_]+)`", names)]
    assert sorted(name for name, _ in listed) == sorted(re.findall(r'read\.\w+\(\s*"([A-Z_]+)"', source))
    exact = {name: default[1:-1] for name, default in listed if re.fullmatch("`[^`]+`", default)}
    assert {"DATA_DIR", "SOCKETS"} <= exact.keys()
    unset = Settings.from_environment({})
    assert [name for name in exact if Settings.from_environment({f"ADVISORY_{name}": exact[name]}) != unset] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "hunter2-hunter2"),
        ("DATABASE_URL", "hunter2-hunter2://x"),
        ("REDIS_URL", "hunter2-hunter2"),
        ("SMTP_URL", "hunter2-hunter2"),
        ("PUBLIC_URL", "https://ann:hunter2@firm.example"),
    ],
)
def test_a_misplaced_password_is_not_shown(name: str, value: str) -> None:
    with pytest.raises(WrongSetting) as refused:
        Settings.from_environment({f"ADVISORY_{name}": value})
    assert "hunter2" not in str(refused.value)


MEDIA = "s3://bucket/folder?endpoint=http://localhost:9000&region=eu-1"


@pytest.mark.spec("IMG-5")
def test_the_picture_store_takes_its_key_in_the_url_or_separately() -> None:
    whole = "s3://key:a%2Fb%2B%40@bucket/folder?endpoint=http://localhost:9000&region=eu-1"
    apart = {"ADVISORY_MEDIA_KEY": "key", "ADVISORY_MEDIA_SECRET": "a/b+@"}
    assert Settings.from_environment({}).media_url == ""
    assert Settings.from_environment({"ADVISORY_MEDIA_URL": whole}).media_url == whole
    assert Settings.from_environment({"ADVISORY_MEDIA_URL": MEDIA} | apart).media_url == whole


@pytest.mark.spec("IMG-5")
@pytest.mark.parametrize("address", ["s3://bucket", "s3://my.bucket/a/b/", "s3://bucket?region=eu-1"])
def test_the_picture_store_url_may_be_short(address: str) -> None:
    apart = {"ADVISORY_MEDIA_KEY": "key", "ADVISORY_MEDIA_SECRET": "secret"}
    settings = Settings.from_environment({"ADVISORY_MEDIA_URL": address} | apart)
    assert settings.media_url == address.replace("s3://", "s3://key:secret@")


@pytest.mark.spec("IMG-5")
def test_an_invalid_picture_store_is_refused_without_showing_its_secret() -> None:
    def check(address: str) -> None:
        with pytest.raises(WrongSetting) as caught:
            Settings.from_environment({"ADVISORY_MEDIA_URL": address})
        assert "but it must be s3://bucket/folder?endpoint=https://host&region=name" in str(caught.value)
        assert "hun" not in str(caught.value)

    cases = [
        "hunter2",
        "https://key:hunter2@host/bucket",
        "s3://",
        "s3:///bucket",
        "s3://[::1",
        "s3://key@bucket",
        "s3://:hunter2@bucket",
        "s3://key:hun/ter2@bucket",
        "s3://key:hun#ter2@bucket",
        "s3://key:hun?ter2@bucket",
        "s3://key:hunter2@bucket:9000",
        "s3://key:hunter2@bucket/../other",
        "s3://key:hunter2@bucket?endpoint=host:9000",
        "s3://key:hunter2@bucket?endpoint=https://ann:hunter2@host",
        "s3://key:hunter2@bucket?endpoint=https://host:99999",
        "s3://key:hunter2@bucket?endpoint=",
        "s3://key:hunter2@bucket?region=",
        "s3://key:hunter2@bucket?region=a&region=b",
        "s3://key:hunter2@bucket?secret=hunter2",
    ]
    check_each(cases, check)


@pytest.mark.spec("DATA-3")
def test_backups_go_to_a_folder_or_a_bucket_with_its_own_key() -> None:
    keys = {"ADVISORY_BACKUP_KEY": "key", "ADVISORY_BACKUP_SECRET": "secret"}
    assert Settings.from_environment({}).backup_to == ""
    assert Settings.from_environment({"ADVISORY_BACKUP_TO": "/var/backups"}).backup_to == "/var/backups"
    settings = Settings.from_environment({"ADVISORY_BACKUP_TO": "s3://bucket/site"} | keys)
    assert settings.backup_to == "s3://key:secret@bucket/site"
    for place in ("s3://bucket/site", "https://key:hunter2@host"):
        with pytest.raises(WrongSetting, match="ADVISORY_BACKUP_KEY and ADVISORY_BACKUP_SECRET") as caught:
            Settings.from_environment({"ADVISORY_BACKUP_TO": place, "ADVISORY_MEDIA_KEY": "x"})
        assert "hunter2" not in str(caught.value)


@pytest.mark.spec("IMG-5")
@pytest.mark.parametrize("missing", ["KEY", "SECRET"])
def test_the_picture_store_needs_a_key_and_a_secret(missing: str) -> None:
    given = {"ADVISORY_MEDIA_URL": MEDIA, "ADVISORY_MEDIA_KEY": "key", "ADVISORY_MEDIA_SECRET": "hunter2"}
    del given[f"ADVISORY_MEDIA_{missing}"]
    with pytest.raises(WrongSetting, match="an address without a key and its secret") as caught:
        Settings.from_environment(given)
    assert "hunter2" not in str(caught.value)
