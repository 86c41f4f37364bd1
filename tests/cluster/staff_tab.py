"""The tab of an admin, on a backend of the cluster."""

from tests.cluster.conftest import ADMIN_EMAIL, ADMIN_PASSWORD, Cluster
from tests.support.visitor import Visitor

ROOT_STATE = "reflex___state____state"
STATE = f"{ROOT_STATE}.advisory_site"
KIT_STATE = f"{ROOT_STATE}.sitekit"
ENTER = f"{KIT_STATE}___accounts___sessions___auth_state____auth_page_state.sign_in"
USERS = f"{KIT_STATE}___accounts___people___tab____user_tab_state.load"


async def worked(cluster: Cluster) -> Visitor:
    """The tab of an admin who has signed in and looked at the users."""
    staff = Visitor(cluster.backends[0].url, "192.0.2.50")
    staff.origin = cluster.url
    await staff.connect()
    await staff.send(ENTER, "/auth", form_data={"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD})
    await staff.until("current_user.role", "admin")
    await staff.send(USERS, "/admin")
    assert await staff.until("user_tab_state.rows")
    return staff
