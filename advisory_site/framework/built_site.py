"""Whether this process serves the finished build.

Reflex 0.10.1 has no command that serves a build without making it anew; `reflex run` does it through these variables
of its workers.
"""

from reflex_base.environment import environment

SERVE_BUILD = {
    "REFLEX_ENV_MODE": "prod",
    environment.REFLEX_SKIP_COMPILE.name: "true",
    environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.name: "true",
}


def has_build() -> bool:
    """Whether the pages come from the build; under hot reload the development server has them."""
    return environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.get()


def is_in_production() -> bool:
    """Whether Reflex runs in production mode, and does not prepare a fresh clone by itself."""
    return environment.REFLEX_ENV_MODE.get().value == SERVE_BUILD["REFLEX_ENV_MODE"]
