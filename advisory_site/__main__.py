"""The command line: `python -m advisory_site COMMAND`."""

import argparse
import getpass
import os
import sys

from sqlalchemy.exc import SQLAlchemyError

from .accounts import service as accounts
from .accounts import sessions, throttling
from .accounts.drafts import email_of
from .core.errors import ServiceError
from .core.permissions import Role
from .core.settings import get_settings
from .db.database import transaction
from .db.diagnosis import explain, is_trouble, user_name
from .ops import cli, serve
from .ops.port import claim
from .ops.upgrade import downgrade, upgrade
from .seed import seed

# What changes nothing may be run by root.
FOR_ROOT = ("check",)


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    commands = argparse.ArgumentParser(prog="python -m advisory_site", description=__doc__)
    add = commands.add_subparsers(dest="command", required=True, metavar="COMMAND").add_parser
    run = add("run", help="prepare the database and serve the finished build")
    run.add_argument("--port", type=int, default=3000)
    run.add_argument("--host", help="the address to listen on; by default 127.0.0.1 locally, and all in production")
    add("migrate", help="move the database to the newest schema, after a backup")
    down = add("migrate-down", help="take the schema back to an older revision, after a backup")
    down.add_argument("revision", metavar="REVISION", help="such as 0004; what later ones have added is deleted")
    down.add_argument("--delete-everything", action="store_true", help="needed for 'base', which is before all tables")
    add("seed", help="load the demo firm into an empty database")
    admin = add("create-admin", help="make an admin account; the password is asked for, or read from standard input")
    admin.add_argument("email", metavar="EMAIL")
    admin.add_argument("--first-name", default="")
    admin.add_argument("--last-name", default="")
    role = add("set-role", help="give a person another role")
    role.add_argument("email", metavar="EMAIL")
    role.add_argument("role", choices=tuple(Role))
    out = add("sign-out-everywhere", help="end all sessions of a person")
    out.add_argument("email", metavar="EMAIL")
    unlock = add("unlock", help="let a person try again at once whom wrong passwords or too many mails have locked out")
    unlock.add_argument("email", metavar="EMAIL")
    delete = add("delete-account", help="delete the account of a person who left; what they saved stays")
    delete.add_argument("email", metavar="EMAIL")
    cli.add_commands(add)
    return commands


def main() -> None:
    """Do what the command line says; what goes wrong is said in one sentence."""
    arguments = parser().parse_args()
    # Whatever is written from here on (database, backups, outbox, log settings) holds people's data.
    os.umask(0o077)
    if arguments.command not in FOR_ROOT:
        refuse_root()
    try:
        run(arguments)
    except ServiceError as error:
        raise SystemExit(error.message) from None
    except SQLAlchemyError as error:
        if not is_trouble(error):
            raise
        raise SystemExit(explain(error)) from None


def refuse_root() -> None:
    """Stop a command of root's on a data folder of somebody else's: the site could not write what root leaves there."""
    folder = get_settings().data_dir
    if os.geteuid() != 0 or not folder.exists() or folder.stat().st_uid == 0:
        return
    owner = user_name(folder.stat().st_uid)
    raise SystemExit(
        f"This runs as root, but {folder} belongs to {owner}, who could not write what root leaves there."
        f" Run it as {owner}: deploy/northstrait does, or 'runuser -u {owner} -- ...'."
    )


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line says; what is refused is raised as `ServiceError`."""
    match arguments.command:
        case "run":
            os.environ.setdefault("ADVISORY_PUBLIC_URL", f"http://localhost:{arguments.port}")
            host = arguments.host or serve.address_to_listen_on()
            _held = claim(host, arguments.port)  # open as long as the server, which takes this one's place
            serve.prepare()
            serve.serve(arguments.port, host)
        case "migrate":
            upgrade(serve.say)
        case "migrate-down":
            downgrade(arguments.revision, serve.say, delete_everything=arguments.delete_everything)
            serve.say(f"The schema is at {arguments.revision}.")
        case "seed":
            with transaction() as session:
                serve.say(f"Added {seed(session)} records.")
        case command if command in cli.COMMANDS:
            cli.run(arguments)
        case _:
            manage_people(arguments)


def manage_people(arguments: argparse.Namespace) -> None:
    """The commands about accounts; what the service refuses is raised as `ServiceError`."""
    email = arguments.email
    if arguments.command == "create-admin":
        password = ask_password()
        with transaction() as session:
            accounts.create_admin(session, email, password, arguments.first_name, arguments.last_name)
        serve.say(f"{email} is an admin and can sign in.")
        return
    with transaction() as session:
        user_id = accounts.user_id_of(session, email)
        if arguments.command == "set-role":
            accounts.set_role(session, user_id, arguments.role)
            serve.say(f"{email} has the role {arguments.role}.")
        elif arguments.command == "unlock":
            throttling.forgive(session, email_of(email))
            serve.say(f"{email} can try again at once.")
        elif arguments.command == "delete-account":
            accounts.delete_account(session, user_id)
            serve.say(f"The account of {email} is deleted.")
        else:
            serve.say(f"{email} is signed out: {sessions.end_all(session, user_id)} sessions ended.")


def ask_password() -> str:
    """A password typed twice at a terminal, or one line of standard input; never an argument, which others can see."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("The same again: ") != password:
        raise SystemExit("The two differ; nothing has been changed.")
    return password


if __name__ == "__main__":
    main()
