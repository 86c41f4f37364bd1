"""Runs the command line of `ops/cli.py`: `python -m advisory_site COMMAND`."""

from .ops.cli import main

if __name__ == "__main__":
    main()
