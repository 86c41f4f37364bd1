"""Follows docs/deploy.md literally on a bare Debian, from the first command on: `make guide`.

Needs root, and Debian's or Ubuntu's apt. It runs in a network of its own, so the ports of the guide are free.
"""

import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.checks.guide import network
from deploy.checks.guide.commands import block_of
from deploy.checks.guide.machine import DOMAIN, SOURCE, Failed, Guide, Machine
from deploy.checks.guide.visits import (
    AUTHORITY,
    PATIENCE,
    Session,
    add_app,
    ask,
    choose_password,
    enquire,
    enquiries,
    expect,
    is_served,
    role_in,
    select,
    sign_in,
    sign_in_with_code,
    upload,
)
from tests.support.photographs import portrait
from tests.support.release import COLUMN_MIGRATION
from tests.support.s3_server import KEY, SECRET, S3Server
from tests.support.second_factors import code_of
from tests.support.waiting import wait_for

BACKUPS = "/var/backups/northstrait"
SETTINGS = "/etc/northstrait.env"
CURL = f"curl --cacert /{AUTHORITY} --resolve {DOMAIN}:443:127.0.0.1"


class Walk:
    """The way through the guide: each method is a part of it, and checks what the guide promises there."""

    def __init__(self, guide: Guide, folder: Path, store: S3Server) -> None:
        self.guide, self.folder, self.store = guide, folder, store
        self.machine = Machine(guide, folder, "first")
        self.session: Session = {}
        self.written: list[str] = []
        self.database = ""  # the name on PostgreSQL
        self.picture = ""  # the address of one that was uploaded
        self.app = ""  # its secret
        self.codes: list[str] = []

    def bare_machine(self) -> None:
        said = self.machine.follow("One machine", 1)
        self.session = choose_password(first_link(said))
        is_served(self.machine)
        expect(self.machine.path(SETTINGS).stat().st_mode & 0o777 == 0o600, "only root reads the settings")
        data = self.machine.path("/var/lib/northstrait")
        expect(
            {path.stat().st_mode & 0o077 for path in (data, *data.rglob("*"))} == {0}, "only the site reads its data"
        )
        self.write("On the bare machine")
        self.goes_on()
        self.machine.printed("northstrait --help")
        said = self.machine.printed("northstrait check", status=1)
        wrong = re.findall(r"^(?:wrong|unsafe) .*$", said, re.MULTILINE)
        expect(wrong == [f"wrong   backups   There is no folder {BACKUPS}."], f"only backups are missing: {wrong}")

    def restart(self) -> None:
        self.machine.reboot()
        is_served(self.machine)
        self.goes_on()

    def pictures(self) -> None:
        file = self.folder / "picture.jpg"
        portrait(400, 500).save(file)
        self.picture = upload(self.machine, self.session, file)
        expect(self.shows_picture(), "a picture is shown")
        bucket = f"{self.store.bucket()}?endpoint={self.store.endpoint}"
        url = f"s3://{bucket}"
        self.set(ADVISORY_MEDIA_URL=url, ADVISORY_MEDIA_KEY=KEY, ADVISORY_MEDIA_SECRET=SECRET)
        self.machine.follow("Pictures in an S3-compatible store", 1, {"bucket?endpoint=https://host": bucket})
        is_served(self.machine)
        expect(self.shows_picture(), "the picture is shown from the bucket")
        self.machine.run(f"northstrait copy-pictures '{url}' /var/lib/northstrait/media")
        self.unset("ADVISORY_MEDIA_URL", "ADVISORY_MEDIA_KEY", "ADVISORY_MEDIA_SECRET")
        self.machine.run("systemctl restart northstrait")
        is_served(self.machine)
        expect(self.shows_picture(), "the picture is shown from the folder again")

    def backups(self) -> None:
        said = self.machine.follow("Backups", 1)
        expect("verified" in said and "they compare equal" in said, "the first backup and rehearsal are in the log")
        file, elsewhere = f"{BACKUPS}/by-hand", "/srv/elsewhere"
        self.machine.run(f"install -d -o northstrait -g northstrait -m 700 {elsewhere}")
        self.machine.printed("northstrait backup")
        self.machine.printed("northstrait backup --to PLACE", {"PLACE": elsewhere})
        self.machine.printed("northstrait backup FILE", {"FILE": file})
        self.machine.printed("northstrait verify FILE", {"FILE": file})
        self.machine.printed("northstrait rehearse")
        self.machine.printed("systemctl start northstrait-backup")
        self.machine.printed("northstrait check")
        bucket = f"{self.store.bucket()}/site?endpoint={self.store.endpoint}"
        self.set(ADVISORY_BACKUP_TO=f"s3://{bucket}", ADVISORY_BACKUP_KEY=KEY, ADVISORY_BACKUP_SECRET=SECRET)
        self.machine.run("systemctl start northstrait-backup && systemctl start northstrait-rehearsal")
        self.unset("ADVISORY_BACKUP_TO", "ADVISORY_BACKUP_KEY", "ADVISORY_BACKUP_SECRET")
        self.goes_on()

    def lost_database(self) -> None:
        newest = f"{BACKUPS}/newest"
        self.machine.run(f"northstrait backup {newest}")
        self.machine.run("systemctl stop northstrait && rm /var/lib/northstrait/advisory.db*")
        self.machine.run("systemctl start northstrait")
        log = "journalctl -u northstrait -n 40 | grep 'There was a database'"
        wait_for(lambda: self.answers(log), "a site whose database is lost does not start", PATIENCE)
        self.machine.run("systemctl stop northstrait")
        self.machine.printed("northstrait restore FILE", {"FILE": newest}, status=1)
        self.machine.printed("northstrait restore --force FILE", {"FILE": newest})
        self.machine.run("systemctl start northstrait")
        self.is_restored()

    def upgrade(self) -> None:
        script = self.a_script()
        self.change_source()
        old = self.version()
        self.machine.printed("deploy/release")
        is_served(self.machine)
        expect(self.version() != old and self.schema() == "9999", "the new version is served, on its schema")
        expect(list(self.machine.path("/var/lib/northstrait/backups").iterdir()), "it was backed up before")
        expect(ask(self.machine, script)[0] == 200, "open pages still get the scripts of the version before")
        self.write("On the new version")
        self.goes_on()

    def rollback(self) -> None:
        newer = self.version()
        self.machine.printed("/opt/northstrait/deploy/release --back")
        is_served(self.machine)
        expect(self.version() != newer and self.schema() != "9999", "the version before is served, on its schema")
        self.write("After going back")
        self.goes_on()
        head = self.schema()
        self.machine.run("deploy/release")
        is_served(self.machine)
        older = self.machine.run("readlink /opt/northstrait/previous").strip()
        self.machine.run("systemctl stop northstrait")
        self.machine.printed("northstrait migrate-down 0005", {"0005": head})
        said = self.machine.printed("/opt/northstrait-OLDER/deploy/release", {"/opt/northstrait-OLDER": older})
        expect("Compiling" not in said, "a version that is built is not built again")
        is_served(self.machine)
        self.goes_on()

    def rotated_secret(self) -> None:
        self.app, self.codes = add_app(self.session)
        former = self.setting("ADVISORY_SECRET_KEY")
        newer = self.machine.run("openssl rand -hex 32").strip()
        self.set(ADVISORY_SECRET_KEY=f"{newer},{former}")
        self.machine.run("systemctl restart northstrait")
        is_served(self.machine)
        self.goes_on()
        said = self.machine.run("northstrait check || true")
        expect("authenticator apps that need a former secret" in said, "check counts the apps of the former secret")
        time.sleep(max(0, 31 - time.time() % 30))  # a code is valid once
        self.session = sign_in_with_code(code_of(self.app))
        said = self.machine.run("northstrait check || true")
        expect("authenticator apps that need a former secret" not in said, "an app is encrypted anew at its next use")
        self.set(ADVISORY_SECRET_KEY=newer)
        self.machine.run("systemctl restart northstrait")
        is_served(self.machine)
        self.goes_on()

    def lost_secret(self) -> None:
        self.set(ADVISORY_SECRET_KEY=self.machine.run("openssl rand -hex 32").strip())
        self.machine.run("systemctl restart northstrait")
        is_served(self.machine)
        expect(role_in(self.session) == "", "without the secret everybody must sign in again")
        self.session = sign_in_with_code(self.codes[0], is_app_lost=True)
        self.goes_on()
        self.machine.printed("northstrait reset-factors EMAIL", {"EMAIL": f"you@{DOMAIN}"})
        self.session = sign_in()

    def accounts(self) -> None:
        who = {"EMAIL": f"second@{DOMAIN}"}
        self.machine.printed("northstrait create-admin EMAIL", who, typed="a-long-quiet-evening-42\n")
        self.machine.printed("northstrait unlock EMAIL", who)
        self.machine.printed("northstrait personal-data EMAIL", who)
        self.machine.printed("northstrait delete-account EMAIL", who)
        self.goes_on()

    def operations(self) -> None:
        self.machine.printed("northstrait migrate")
        self.machine.printed("systemctl reload caddy")
        self.machine.printed("install -d -o northstrait -g northstrait -m 700 /var/lib/northstrait")
        self.machine.printed("chown -R northstrait: /var/lib/northstrait")
        self.machine.printed("apt-get install -y jq")
        said = self.machine.printed(
            """journalctl -u northstrait -o cat | jq -R 'fromjson? | select(.logger == "advisory_site.audit")'"""
        )
        expect('"act": "Signed in"' in said, "the log has who signed in")
        asked = ask(self.machine, "/contact")[1]["x-request-id"][:8]
        self.machine.printed("""journalctl -u northstrait -o cat | grep '"id": "34921e61'""", {"34921e61": asked})
        self.machine.run("cd /opt/northstrait")
        self.machine.printed("make tracing")
        self.machine.run(f"cd {SOURCE}")
        self.machine.printed("make build")
        self.machine.printed(".venv/bin/python -m advisory_site verify FILE", {"FILE": f"{BACKUPS}/by-hand"})
        is_served(self.machine)
        self.goes_on()

    def litestream(self) -> None:
        # In the place of its Debian package, which is on GitHub.
        shutil.copy(Path(sys.executable).with_name("litestream"), self.machine.path("/usr/bin/litestream"))
        bucket = f"s3://{self.store.bucket()}/site?endpoint={self.store.endpoint}&region=us-east-1"
        values = {
            "s3://bucket/folder?endpoint=https://host&region=name": bucket,
            "LITESTREAM_ACCESS_KEY_ID=...": f"LITESTREAM_ACCESS_KEY_ID={KEY}",
            "LITESTREAM_SECRET_ACCESS_KEY=...": f"LITESTREAM_SECRET_ACCESS_KEY={SECRET}",
        }
        self.machine.follow("Continuous copies", 1, values)
        self.write("Copied at once")
        probe = (
            "rm -f /tmp/probe* && (set -a && . /etc/northstrait-litestream.env"
            " && DATABASE=/var/lib/northstrait/advisory.db && litestream restore"
            " -config /opt/northstrait/deploy/litestream.yml -o /tmp/probe.db $DATABASE) >/dev/null 2>&1"
        )

        def is_copied() -> bool:
            return self.answers(probe) and self.written[-1] in enquiries(self.machine.path("/tmp/probe.db"))

        wait_for(is_copied, "Litestream copies an enquiry", PATIENCE)
        self.machine.follow("Continuous copies", 2)
        self.machine.run("set +a")
        self.is_restored()

    def another_server(self) -> None:
        old = self.machine
        old.follow("Another server", 1)
        settings, last = old.path(SETTINGS), old.path(f"{BACKUPS}/last")
        old.close()
        self.machine = Machine(self.guide, self.folder, "second")
        for file, name in ((settings, SETTINGS), (last, f"{SOURCE}/last")):
            shutil.copy(file, self.machine.path(name))
        self.machine.path(SETTINGS).chmod(0o600)
        self.machine.follow("One machine", 1, without="install -m 600 /dev/stdin /etc/northstrait.env")
        self.machine.follow("Another server", 2)
        is_served(self.machine)
        self.session = sign_in()
        expect(self.shows_picture(), "the picture has come along")
        self.goes_on()
        self.machine.follow("Backups", 1)

    def postgresql(self) -> None:
        self.machine.follow("From SQLite to PostgreSQL", 1)
        self.database = "northstrait"
        is_served(self.machine)
        self.goes_on()
        self.write("On PostgreSQL")
        self.machine.run("systemctl start northstrait-backup && systemctl start northstrait-rehearsal")
        said = self.machine.run("journalctl -u northstrait-rehearsal -n 2")
        expect("compare equal" in said and "SQLite" not in said, "the rehearsal is on PostgreSQL")
        self.machine.printed("northstrait backup FILE", {"FILE": f"{BACKUPS}/postgresql"})
        self.write("After the backup")
        self.machine.run(f"northstrait restore --force {BACKUPS}/postgresql")
        self.written.pop()
        self.session = sign_in()
        self.goes_on()
        self.machine.reboot()
        is_served(self.machine)
        self.goes_on()

    def continuous_log(self) -> None:
        self.machine.follow("Continuous copies", 3)
        said = self.machine.printed("systemctl is-active northstrait-wal northstrait-litestream")
        expect(said.startswith("active\n"), "the log of PostgreSQL is copied")
        psql = "runuser -u postgres -- psql -At"
        time.sleep(1)  # the moment is given in seconds or less, but a base backup is named by its second
        self.write("Before that moment")
        moment = self.machine.run(f"{psql} -c 'SELECT now()'").strip()
        held = list(self.written)
        self.write("After that moment")
        copied = f"{psql} -c 'SELECT bool_and(flush_lsn >= pg_current_wal_lsn()) FROM pg_stat_replication' | grep -x t"
        wait_for(lambda: self.answers(copied), "the log is copied", PATIENCE)
        recover, folder, start = block_of("Continuous copies", 5).commands
        self.machine.printed(recover, {"2026-11-23 10:00:00+00": moment})
        self.machine.printed(folder)
        self.machine.printed(start, in_background=True)
        query = f"{psql} -p 5433 -d northstrait -c 'SELECT message FROM enquiries ORDER BY id'"
        wait_for(lambda: self.answers(f"{query} >/tmp/recovered 2>/dev/null"), "the recovered server starts", PATIENCE)
        found = self.machine.path("/tmp/recovered").read_text().split("\n")[:-1]
        expect(found == held, f"the recovered server is as of that moment: {found}")
        self.machine.run("kill $!; wait $! || true")
        self.goes_on()

    def varnish(self) -> None:
        self.machine.follow("A CDN or Varnish in front", 2)
        is_served(self.machine)
        self.machine.run("apt-get install -y curl")
        own = {"curl": CURL}
        for _ in range(2):
            said = self.machine.printed("curl -sI https://northstrait.example/ | grep -i -e cache -e age", own)
        expect("cache-status: varnish; hit" in said.lower(), f"Varnish keeps pages: {said}")
        said = self.machine.run(f"{CURL} -sI -H 'Cookie: theme=dark' https://{DOMAIN}/ | grep -i -e cache -e age")
        expect("varnish; hit" not in said, "a reader who has chosen a theme gets the site's own page")
        self.write("Through Varnish")
        self.goes_on()

    def write(self, message: str) -> None:
        """Send an enquiry, and remember it."""
        enquire(self.machine, message)
        self.written.append(message)

    def goes_on(self) -> None:
        """All enquiries are there, once each, and the admin's browser is signed in."""
        stored = self.stored()
        expect(stored == self.written, f"enquiries survive: {stored}, and {self.written} were sent")
        expect(role_in(self.session) == "admin", "sessions survive")

    def is_restored(self) -> None:
        """The site is served from a backup."""
        is_served(self.machine)
        expect(role_in(self.session) == "", "after a restore everybody must sign in again")
        self.session = sign_in()
        self.goes_on()

    def stored(self) -> list[str]:
        """The messages of the enquiries in the site's database."""
        if not self.database:
            return enquiries(self.machine.path("/var/lib/northstrait/advisory.db"))
        query = "SELECT message FROM enquiries ORDER BY id"
        return self.machine.run(f"runuser -u postgres -- psql -At -d {self.database} -c '{query}'").split("\n")[:-1]

    def answers(self, command: str) -> bool:
        """Whether a command succeeds."""
        return self.machine.run(f"{command} && echo yes || echo no").endswith("yes\n")

    def shows_picture(self) -> bool:
        status, headers, _ = ask(self.machine, self.picture)
        return status == 200 and headers["content-type"].startswith("image/")

    def a_script(self) -> str:
        """The address of a script that the start page names."""
        page = ask(self.machine, "/")[2].decode()
        found = re.search(r"/assets/[\w.-]+\.js", page)
        expect(found, "the start page names a script")
        return str(found[0]) if found else ""

    def version(self) -> str:
        """The folder of the version that is served."""
        return self.machine.run("readlink /opt/northstrait").strip()

    def schema(self) -> str:
        """The revision of the schema."""
        database = self.machine.path("/var/lib/northstrait/advisory.db")
        return select(database, "SELECT version_num FROM alembic_version")[0][0]

    def change_source(self) -> None:
        """Make the next version of the source, with another schema."""
        folder = self.machine.path(SOURCE)
        (folder / "alembic/versions/9999_next.py").write_text(COLUMN_MIGRATION.format(head=self.schema()))
        module = folder / "sitekit/__init__.py"
        module.write_text(module.read_text() + "\n# The next version.\n")
        version = folder / "advisory_site/__init__.py"
        version.write_text(version.read_text().replace('__version__ = "', '__version__ = "next-'))

    def set(self, **settings: str) -> None:
        """Write settings into the file of the service, as an operator does with an editor."""
        self.unset(*settings)
        with self.machine.path(SETTINGS).open("a") as file:
            file.writelines(f"{name}={value}\n" for name, value in settings.items())

    def unset(self, *names: str) -> None:
        """Remove settings from the file of the service."""
        file = self.machine.path(SETTINGS)
        lines = [line for line in file.read_text().splitlines() if line.partition("=")[0] not in names]
        file.write_text("".join(f"{line}\n" for line in lines))

    def setting(self, name: str) -> str:
        """The value of a setting in the file of the service."""
        lines = self.machine.path(SETTINGS).read_text().splitlines()
        return next(value for key, _, value in (line.partition("=") for line in lines) if key == name)


def first_link(said: str) -> str:
    """The link for the first admin in the log."""
    found = re.search(rf"First admin: you@{DOMAIN}, password to be chosen at (https://\S+?),? ", said)
    if not found:
        raise Failed(f"The log shows no link for the first admin: {said[-2000:]}")
    return found[1]


# In the order of an operator's life with the site: the first server has SQLite, the second one moves to PostgreSQL.
PARTS: tuple[Callable[[Walk], None], ...] = (
    Walk.bare_machine,
    Walk.restart,
    Walk.backups,
    Walk.pictures,
    Walk.lost_database,
    Walk.upgrade,
    Walk.rollback,
    Walk.rotated_secret,
    Walk.lost_secret,
    Walk.accounts,
    Walk.operations,
    Walk.litestream,
    Walk.another_server,
    Walk.postgresql,
    Walk.continuous_log,
    Walk.varnish,
)


CANCELLING = (signal.SIGTERM, signal.SIGINT)


def cancel(_number: int, _frame: object) -> None:
    """End with all that was started; once, because that takes a moment."""
    for number in CANCELLING:
        signal.signal(number, signal.SIG_IGN)
    sys.exit("Cancelled.")


def main() -> None:
    """Walk through the guide; exits with what does not hold."""
    for number in CANCELLING:
        signal.signal(number, cancel)
    if not network.is_inside():
        sys.exit(network.run_inside("deploy.checks.guide"))
    folder = Path(tempfile.mkdtemp(prefix="northstrait-guide-", dir="/var/tmp"))
    folder.chmod(0o755)
    log = Path(tempfile.gettempdir(), "northstrait-guide.log")
    with log.open("w", encoding="utf-8") as file:
        guide = Guide(file)
        try:
            walk(guide, folder)
        except (Failed, AssertionError, OSError, TimeoutError) as error:
            guide.say(f"{type(error).__name__}: {error}")
            sys.exit(f"The guide does not hold; {log} has everything that was printed.")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"The guide holds; {log} has everything that was printed.")


def walk(guide: Guide, folder: Path) -> None:
    """Run all parts, and check that no command of the guide was left out."""
    with a_store() as store:
        way = Walk(guide, folder, store)
        try:
            for part in PARTS:
                guide.say(f"== {part.__name__.replace('_', ' ')}")
                part(way)
        except BaseException:
            for name, last in way.machine.systemd.last_lines():
                print(f"== {name}\n{last}", file=guide.log)
            raise
        finally:
            way.machine.close()
    if left_out := guide.left_out():
        raise Failed(f"Neither run nor on the list of deploy/checks/guide/not_run.py: {left_out}")
    for seconds, name in sorted(guide.slow, reverse=True)[:8]:
        guide.say(f"{seconds:5.0f} s for {name}")


@contextmanager
def a_store() -> Iterator[S3Server]:
    """A server of an S3-compatible store outside the machines."""
    server = S3Server()
    try:
        yield server
    finally:
        server.stop()


if __name__ == "__main__":
    main()
