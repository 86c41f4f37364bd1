"""What this site hands to the back office: brand, tabs, places, and what the finder finds."""

from sitekit.accounts.factors import texts as two_step_texts
from sitekit.accounts.invitations import texts as invitation_texts
from sitekit.accounts.invitations.state import INVITE
from sitekit.accounts.people import service as accounts
from sitekit.admin import texts as backoffice_words
from sitekit.admin.components.dialog import NEW
from sitekit.admin.finder import texts
from sitekit.admin.office import Office
from sitekit.admin.page_texts import screen_texts as page_texts
from sitekit.admin.places import PLACES, Place
from sitekit.base import paths
from sitekit.base.permissions import Action

from .. import routes
from ..components.artwork import brand_mark
from ..components.layout import logo
from ..enquiries import admin_texts as enquiries
from ..enquiries.desk.new_count import enquiries_link
from ..features import FEATURES
from ..permissions import SiteAction
from .help_tasks import tasks
from .tabs import TABS

STRIP = (
    Place(enquiries.TITLE, routes.ADMIN_ENQUIRIES, "mail", SiteAction.READ_ENQUIRIES),
    Place(page_texts.TITLE, paths.ADMIN_TEXTS, "edit"),
    *PLACES,
)

OFFICE = Office(
    brand_mark=brand_mark,
    logo=logo,
    header_link=enquiries_link,
    tabs={tab.name: tab.label for tab in TABS},
    places=STRIP,
    findables=(accounts.FINDABLE,),
    pages=(
        *(Place(tab.label, paths.admin_tab(tab.name)) for tab in TABS),
        *STRIP,
        Place(invitation_texts.TITLE, paths.ADMIN_INVITATIONS, action=Action.INVITE_USERS),
        Place(backoffice_words.HELP, paths.ADMIN_HELP),
        Place(backoffice_words.PROFILE, paths.ADMIN_PROFILE),
        Place(backoffice_words.SETTINGS, paths.ADMIN_SETTINGS),
        Place(two_step_texts.TITLE, paths.ADMIN_TWO_STEP),
    ),
    acts=(
        *(
            Place(texts.ADD.format(noun=each.noun), each.staff_pages.new_page, action=each.change_action)
            for each in FEATURES.record_types
            if each.staff_pages.new_page
        ),
        Place(invitation_texts.INVITE, f"{paths.ADMIN_INVITATIONS}?{INVITE}={NEW}", action=Action.INVITE_USERS),
        Place(backoffice_words.SITE, paths.HOME),
        Place(backoffice_words.SIGN_OUT, ""),
    ),
    tasks=tasks,
)
