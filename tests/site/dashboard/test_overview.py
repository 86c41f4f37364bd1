"""What the dashboard tells each role that it can do."""

import pytest

from advisory_site.dashboard.overview_texts import CAPABILITIES


@pytest.mark.spec("DASH-2", "ROLE-2")
def test_each_role_has_its_capabilities_with_links_to_their_pages() -> None:
    said = {role: [(one.text, one.href) for one in capabilities] for role, capabilities in CAPABILITIES.items()}
    assert said == {
        "admin": [
            ("Full system access", ""),
            ("User management", "/admin?tab=users"),
            ("Role assignment", "/admin?tab=users"),
            ("System configuration", ""),
            ("All reports and analytics", ""),
        ],
        "manager": [
            ("Team management", "/admin?tab=teams"),
            ("View user lists", "/admin?tab=users"),
            ("Generate reports", ""),
            ("Monitor team activities", "/admin/activity"),
        ],
        "employee": [
            ("Personal dashboard", ""),
            ("Assigned tasks", ""),
            ("Profile updates", "/admin/profile"),
            ("Basic features", ""),
        ],
    }
