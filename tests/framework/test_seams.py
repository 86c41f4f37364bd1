"""What this site uses of Reflex without a promise that it stays, and the version in which it was found.

An upgrade fails here first. Look at each place named below with the new version, run the whole suite, and then name the
new version.
"""

from importlib import import_module
from importlib.metadata import version
from typing import Any

import pytest

from advisory_site.ui.backoffice.chakra import rc  # makes reflex_chakra importable with this version of Reflex

FOUND_IN = {"reflex": "0.10.1", "reflex-base": "0.10.1", "reflex-chakra": "0.8.2.post1"}
# The place in our code that uses it, and the object in Reflex.
SEAMS = (
    ("accounts/guard.py", "reflex.state", "BaseState._is_client_storage"),
    ("accounts/guard.py", "reflex_base.registry", "RegistrationContext.get"),
    ("asgi.py", "reflex.app", "App._run_lifespan_tasks"),
    ("asgi.py", "reflex.app", "App.event_namespace"),
    ("asgi.py", "reflex_base.environment", "environment.REFLEX_MOUNT_FRONTEND_COMPILED_APP"),
    ("framework/shared_states.py", "reflex.istate.manager.token", "BaseStateToken._state_key"),
    ("framework/shared_states.py", "reflex.utils.token_manager", "RedisTokenManager._get_redis_key"),
    ("framework/state_vars.py", "reflex_base.constants.state", "FIELD_MARKER"),
    ("framework/tab_states.py", "reflex.istate.manager.memory", "StateManagerMemory._purge_expired_tokens"),
    ("framework/tab_states.py", "reflex.istate.manager.memory", "StateManagerMemory._purge_token"),
    ("framework/tab_states.py", "reflex.istate.manager.memory", "StateManagerMemory._track_token"),
    ("framework/tabs.py", "reflex.utils.token_manager", "TokenManager.disconnect_token"),
    ("framework/tabs.py", "reflex.utils.token_manager", "TokenManager.link_token_to_sid"),
    ("framework/token_manager.py", "reflex.istate.manager.redis", "StateManagerRedis._lock_key"),
    ("framework/token_manager.py", "reflex.utils.token_manager", "SocketRecord"),
    ("ssr/initial_state.py", "reflex.istate.delta", "_resolve_delta"),
    ("ssr/initial_state.py", "reflex_base.event.processor", "BaseStateEventProcessor.enqueue_stream_delta"),
    ("ui/backoffice/chakra.py", "reflex_chakra.components.base", "ChakraComponent._get_app_wrap_components"),
    ("ui/feedback.py", "reflex_base.event.context", "EventContext.emit_delta"),
)


def test_chakra_can_be_imported_because_of_our_patches() -> None:
    assert rc.button


@pytest.mark.parametrize("package", FOUND_IN)
def test_the_version_is_the_one_whose_insides_were_read(package: str) -> None:
    assert version(package) == FOUND_IN[package]


@pytest.mark.parametrize(("place", "module", "name"), SEAMS)
def test_what_is_used_without_a_promise_is_there(place: str, module: str, name: str) -> None:
    found: Any = import_module(module)
    for part in name.split("."):
        # A field of a dataclass without a default is no attribute of the class.
        assert hasattr(found, part) or part in found.__dataclass_fields__, place
        found = getattr(found, part, None)
