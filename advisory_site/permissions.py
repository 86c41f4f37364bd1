"""The actions of this site's records, and the roles that may perform each."""

from sitekit.base.permissions import ADMINS, STAFF, AnyAction, Role


class SiteAction(AnyAction):
    """An action in the back office that the kit does not have."""

    MANAGE_COMPANIES = "manage companies"
    MANAGE_TEAM = "manage team members"
    MANAGE_ADVISORS = "manage advisors"
    MANAGE_ARTICLES = "manage articles"
    MANAGE_ENQUIRIES = "manage enquiries"
    NAME_STAGE_OWNERS = "name who answers each stage"


POLICY: dict[AnyAction, frozenset[Role]] = {
    SiteAction.MANAGE_COMPANIES: STAFF,
    SiteAction.MANAGE_TEAM: STAFF,
    SiteAction.MANAGE_ADVISORS: STAFF,
    SiteAction.MANAGE_ARTICLES: STAFF,
    SiteAction.MANAGE_ENQUIRIES: STAFF,
    SiteAction.NAME_STAGE_OWNERS: ADMINS,
}
