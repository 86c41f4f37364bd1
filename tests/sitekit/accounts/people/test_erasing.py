"""The mail to all admins about many permanent deletions: what counts, and when it is sent."""

import pytest

from advisory_site.enquiries.desk.state import EnquiryDeskState
from sitekit.accounts.people.erasing import MOST
from sitekit.admin.pictures.state import PictureState
from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from tests.sitekit.accounts.steps import Mails
from tests.support import factories
from tests.support.event_client import EventClient
from tests.support.people import person
from tests.support.staff import sign_in


@pytest.mark.spec("ACC-3", "CON-6")
def test_pictures_and_enquiries_that_staff_delete_count_together(tab: EventClient, mails: Mails) -> None:
    person("boss@northstrait.example", Role.ADMIN)
    sign_in(tab, Role.EMPLOYEE)
    with transaction() as session:
        pictures = [factories.id_of(factories.add_picture(session)) for _ in range(MOST // 2)]
        enquiries = [factories.id_of(factories.add_enquiry(session)) for _ in range(MOST // 2 + 1)]
    for picture in pictures:
        tab.send(PictureState.delete, path="/admin/media", picture=picture)
    for enquiry in enquiries[1:]:
        tab.send(EnquiryDeskState.delete, path="/admin/enquiries", enquiry_id=enquiry)
    assert mails() == []
    tab.send(EnquiryDeskState.delete, path="/admin/enquiries", enquiry_id=enquiries[0])
    (message,) = mails()
    assert (message["To"], message["Subject"]) == (
        "boss@northstrait.example",
        "Many permanent deletions at Northstrait",
    )
