"""Runs the command line of `sitekit/ops/cli.py`, with the site's own commands: `python -m advisory_site COMMAND`."""

from functools import partial

import click

from sitekit.ops import cli


def hand_over() -> None:
    """Hand the features of the site to the kit; called when a command runs."""
    from sitekit.records.features import use

    from .features import FEATURES

    use(FEATURES)


@cli.main.command()
def texts() -> None:
    """Print the texts of pages that staff can change."""
    from sitekit.admin.page_texts.service import report

    from . import advisory_site  # noqa: F401  all texts are known once the pages are

    click.echo("\n".join(report()))


main = partial(cli.main, obj=hand_over)

if __name__ == "__main__":
    cli.unwind_when_stopped()
    cli.ensure_home()
    main()
