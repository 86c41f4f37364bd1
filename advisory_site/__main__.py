"""The command line: `python -m advisory_site COMMAND`."""

import argparse
import os

from . import start
from .database import transaction
from .migrations import migrate, migrate_down
from .seed import seed


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    commands = argparse.ArgumentParser(prog="python -m advisory_site", description=__doc__)
    add = commands.add_subparsers(dest="command", required=True, metavar="COMMAND").add_parser
    run = add("run", help="prepare the database and serve the finished build")
    run.add_argument("--port", type=int, default=3000)
    add("migrate", help="move the database to the newest schema")
    add("migrate-down", help="take the whole schema away, with its data")
    add("seed", help="load the demo firm into an empty database")
    return commands


def main() -> None:
    """Do what the command line says."""
    arguments = parser().parse_args()
    match arguments.command:
        case "run":
            os.environ.setdefault("ADVISORY_PUBLIC_URL", f"http://localhost:{arguments.port}")
            start.prepare()
            start.serve(arguments.port)
        case "migrate":
            migrate()
        case "migrate-down":
            migrate_down()
        case "seed":
            with transaction() as session:
                start.say(f"Added {seed(session)} records.")


if __name__ == "__main__":
    main()
