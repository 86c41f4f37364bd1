"""The actions of this site's records, and the roles that may perform each."""

from sitekit.base.permissions import ADMINS, STAFF, AnyAction, Role


class SiteAction(AnyAction):
    """An action in the back office that the kit does not have."""

    READ_COMPANIES = "read companies"
    CHANGE_COMPANIES = "change companies"
    READ_TEAM = "read team members"
    CHANGE_TEAM = "change team members"
    READ_ADVISORS = "read advisors"
    CHANGE_ADVISORS = "change advisors"
    READ_ARTICLES = "read articles"
    CHANGE_ARTICLES = "change articles"
    READ_ENQUIRIES = "read enquiries"
    CHANGE_ENQUIRIES = "change enquiries"
    NAME_STAGE_OWNERS = "name who answers each stage"


POLICY: dict[AnyAction, frozenset[Role]] = {
    SiteAction.READ_COMPANIES: STAFF,
    SiteAction.CHANGE_COMPANIES: STAFF,
    SiteAction.READ_TEAM: STAFF,
    SiteAction.CHANGE_TEAM: STAFF,
    SiteAction.READ_ADVISORS: STAFF,
    SiteAction.CHANGE_ADVISORS: STAFF,
    SiteAction.READ_ARTICLES: STAFF,
    SiteAction.CHANGE_ARTICLES: STAFF,
    SiteAction.READ_ENQUIRIES: STAFF,
    SiteAction.CHANGE_ENQUIRIES: STAFF,
    SiteAction.NAME_STAGE_OWNERS: ADMINS,
}
