"""Compares pages with uploaded photographs with the same pages as plain files: the largest paint, bytes and shift.

`.venv/bin/python -m bench.picture_pages` needs a finished build, Chromium and Debian's nginx. It takes about ten
minutes. The plain file is the rendered page without scripts, with the same pictures, under nginx.
"""

import argparse
import asyncio
import os
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import sync_playwright
from sqlmodel import Session, col

from advisory_site import routes
from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import Company
from advisory_site.team.models import TeamMember
from bench.page_loads import EXECUTABLE, SLOW, Screen, Visit, elsewhere, medians, visit
from bench.servers import files_for, free_port, site, static_files
from bench.slow_line import Line, open_line
from sitekit.base.db.database import transaction
from sitekit.ops import tables  # noqa: F401 - those that the foreign keys refer to
from sitekit.records.pictures import service
from sitekit.records.pictures.addresses import KEY_LENGTH, PREFIX, address_of
from sitekit.records.pictures.encoding import Encoded, encode
from sitekit.records.pictures.models import Media
from tests.support.photographs import encoded, landscape, portrait

PHONE, DESKTOP = Screen(360, 740, 2), Screen(1280, 800)
WANTED = "main h1"


def photographs(folder: Path) -> list[Encoded]:
    """Encoded portraits, and a landscape as the last one."""
    made = []
    for number, image in enumerate([*(portrait(2400, 3000, seed) for seed in range(1, 4)), landscape(4000, 3000)]):
        source, target = folder / "photograph", folder / f"encoded-{number}"
        source.write_bytes(encoded(image, quality=85))
        target.mkdir()
        made.append(asyncio.run(encode(source, target)))
    return made


def store(session: Session, number: int, photograph: Encoded) -> str:
    """Store a photograph as an upload does, under a key of its own; returns its address."""
    key = f"{number:0{KEY_LENGTH}x}"
    size = service.store_files(key, photograph)
    session.add(Media(key=key, name="bench.jpg", width=photograph.width, height=photograph.height, size=size))
    return address_of(key, photograph.width)


def fill(folder: Path) -> list[str]:
    """Give every person a portrait, the first advisor a cover and a company a logo; returns the pages to measure."""
    *portraits, wide = photographs(folder)
    with transaction() as session:
        members = session.execute(sa.select(TeamMember).order_by(col(TeamMember.id))).scalars().all()
        advisors = session.execute(sa.select(Advisor).order_by(col(Advisor.id))).scalars().all()
        company = session.execute(sa.select(Company).order_by(col(Company.id))).scalars().first()
        assert company
        people: list[TeamMember | Advisor] = [*members, *advisors]
        for number, person in enumerate(people, start=1):
            person.image_url = store(session, number, portraits[number % len(portraits)])
        for advisor in advisors:
            advisor.cover_image_url = ""
        company.logo_url = advisors[0].cover_image_url = store(session, 0, wide)
        return [
            routes.TEAM,
            routes.ADVISORS,
            routes.TEAM_PROFILES,
            routes.MEET_OUR_TEAM,
            routes.COMPANIES,
            routes.team_profile_page(members[0].slug),
            routes.advisor_page(advisors[0].slug),
            routes.advisor_page(advisors[1].slug),
            routes.company_page(company.slug),
        ]


def report(path: str, line: str, visits: dict[str, list[Visit]]) -> None:
    """Print what was measured on one page, beside the plain file."""
    ours, plain = (medians([one.figures for one in visits[name]]) for name in ("rendered", "plain"))
    uploaded = {path: size for path, size in visits["rendered"][0].pictures.items() if path.startswith(PREFIX)}
    largest = ", ".join(sorted({one.largest or "text" for one in visits["rendered"]}))
    ratio = ours["lcp"] / plain["lcp"]
    shift, other = (max(one.figures["cls"] for one in visits[name]) for name in ("rendered", "plain"))
    print(
        f"{path:34} {line:14} largest paint {ours['lcp']:6.0f} ms, plain {plain['lcp']:6.0f}: {ratio:.2f}   "
        f"{len(uploaded)} pictures, at most {max(uploaded.values(), default=0):.1f} kB, "
        f"{sum(uploaded.values()):.0f} kB   shift {shift:.3f}, plain {other:.3f}   largest: {largest}",
        flush=True,
    )


def main() -> None:
    """Compare all pages, on a phone and on a desktop, and on a phone with a slow line."""
    arguments = argparse.ArgumentParser(prog="python -m bench.picture_pages")
    arguments.add_argument("--rounds", type=int, default=7, help="cold visits of each page and server")
    arguments.add_argument("--pages", nargs="*", default=[""], help="what the paths to measure begin with")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as servers:
        folder, line = Path(temporary), Line()
        folder.chmod(0o755)  # nginx's worker runs as another user
        ports = {name: free_port() for name in ("rendered", "plain")}
        lines = {name: servers.enter_context(open_line(port, line)) for name, port in ports.items()}
        app = "advisory_site.advisory_site:app"
        servers.enter_context(site(folder / "site", app, ports["rendered"], lines["rendered"]))
        os.environ["ADVISORY_DATA_DIR"] = str(folder / "site")
        paths = [path for path in fill(folder) if path.startswith(tuple(options.pages))]
        files = files_for(folder, ports["rendered"], paths)
        shutil.copytree(folder / "site" / "media", files / "media", copy_function=shutil.copyfile)
        (files / "media").chmod(0o755)
        servers.enter_context(static_files(files, ports["plain"]))
        origin = servers.enter_context(elsewhere())
        playwright = servers.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox", "--disable-gpu"])
        for name, screen, slow in (
            ("phone", PHONE, False),
            ("desktop", DESKTOP, False),
            ("phone, slow", PHONE, True),
        ):
            if slow:
                line.rtt, line.bits_per_second = SLOW.rtt, SLOW.bits_per_second
            for path in paths:
                visits: dict[str, list[Visit]] = {name: [] for name in lines}
                for _ in range(options.rounds):
                    for server, port in lines.items():
                        address = f"http://localhost:{port}{path}"
                        visits[server].append(visit(browser, origin, address, WANTED, slow=slow, screen=screen))
                report(path, name, visits)
        browser.close()


if __name__ == "__main__":
    main()
