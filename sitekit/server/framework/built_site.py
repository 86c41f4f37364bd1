"""Whether this process serves the finished build.

Reflex 0.10.1 has no command that serves a finished build without building it again; `reflex run` sets these variables
for its workers.
"""

from reflex_base.environment import environment

SERVE_BUILD = {
    "REFLEX_ENV_MODE": "prod",
    environment.REFLEX_SKIP_COMPILE.name: "true",
    environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.name: "true",
}


def has_build() -> bool:
    """Whether the pages come from the build; under hot reload the development server serves them."""
    return environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP.get()


def is_in_production() -> bool:
    """Whether Reflex runs in production mode; otherwise the site prepares the database itself."""
    return environment.REFLEX_ENV_MODE.get().value == SERVE_BUILD["REFLEX_ENV_MODE"]
