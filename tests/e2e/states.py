"""The table of what is looked at in the back office, such as by axe-core: each state's name, and how to get there."""

from collections.abc import Iterator
from datetime import timedelta

from playwright.sync_api import FilePayload, expect

from advisory_site.enquiries.desk import service as desk
from sitekit.accounts.factors import passkeys
from sitekit.base.db.database import now, transaction
from sitekit.base.permissions import Role
from sitekit.records.pictures.addresses import address_of
from sitekit.records.pictures.texts import DESCRIBE
from tests.e2e import contact_form
from tests.e2e.auth.steps import sign_in, sign_out, somebody
from tests.e2e.backoffice import advisor_form, company_form, team_dialog
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.picture_uploads import FILE, PIXEL
from tests.e2e.record_states import RECORDS
from tests.e2e.virtual_authenticator import VirtualAuthenticator
from tests.e2e.walks import State, Walk, settled
from tests.support import factories
from tests.support.authenticator import Authenticator
from tests.support.csv_files import csv_bytes
from tests.support.outbox import given_up
from tests.support.people import PASSWORD, age, invited, person
from tests.support.second_factors import code_of, identity_with_factor

# Lists of few rows: axe-core looks at every one.
PAGES = [
    "/admin",
    "/admin?tab=users&search=admin@",
    "/admin?tab=companies&search=tech",
    "/admin?tab=companies&search=zzzz",
    "/admin/companies/new",
    "/admin/companies/treacle-tech/edit",
    "/admin/history/companies/1",
    "/admin/users/1",
    "/admin/profile",
    "/admin/settings",
    "/admin/help",
    "/admin/two-step",
    "/admin/media",
    "/admin/trash",
    "/admin/activity",
    "/admin/invitations",
    "/admin/personal-data",
]
SIGN_IN_PAGES = [
    "/auth",
    "/auth/forgot",
    "/auth/reset?token=made-up",
    "/auth/verify?token=made-up",
    "/auth/email?token=made-up",
    "/auth/invitation?token=made-up",
]


def pages(staff: Staff) -> Iterator[State]:
    admin = staff(Role.ADMIN, bypass_csp=True)
    for path in PAGES:
        page = settled(admin.open(path))
        yield State(path, page)
        page.close()


def sign_in_pages(staff: Staff) -> Iterator[State]:
    """They have landmarks, too."""
    guest = staff(is_signed_in=False, bypass_csp=True)
    for path in SIGN_IN_PAGES:
        page = guest.open(path)
        expect(page.get_by_role("banner")).to_have_count(1)
        expect(page.get_by_role("main")).to_have_count(1)
        expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("banner").get_by_role("link")).to_have_attribute("href", "/")
        yield State(path, page)
        page.close()


def menu_and_refused_form(staff: Staff) -> Iterator[State]:
    page = staff(bypass_csp=True).open(company_form.NEW)
    company_form.submit(page, "Create Company")
    expect(page.locator("[aria-invalid=true]")).to_have_count(7)
    yield State("a refused form", page)
    page.get_by_role("button", name="Account menu").click()
    expect(page.get_by_role("menu")).to_have_css("opacity", "1")
    yield State("the open menu", page)


def filtered_lists(staff: Staff) -> Iterator[State]:
    guest = staff(is_signed_in=False, bypass_csp=True)
    for path in ("/companies?sector=Healthcare", "/advisors?field=Pricing"):
        yield State(path, guest.open(path))


def refused_enquiry(staff: Staff) -> Iterator[State]:
    page = staff(is_signed_in=False, bypass_csp=True).open("/contact")
    contact_form.send(page)
    expect(page.locator("[aria-invalid=true]")).to_have_count(4)
    yield State("the refused form of an enquiry", page)


def row_menu(staff: Staff) -> Iterator[State]:
    page = staff(bypass_csp=True).open("/admin?tab=companies&search=treacle")
    page.get_by_role("button", name="More actions for Treacle Tech").click()
    expect(page.get_by_role("menu")).to_have_css("opacity", "1")
    yield State("the menu of a row", page)


def team(staff: Staff) -> Iterator[State]:
    team_dialog.add(name="Accessible Tan")
    team_dialog.add(name="Accessible Lim", is_active=False)
    colleague = staff(bypass_csp=True)
    page = colleague.open(f"{team_dialog.TAB}&search=accessible")
    expect(page.get_by_role("row").nth(2)).to_be_visible()
    yield State("the team", page)
    page = colleague.open(team_dialog.NEW)
    team_dialog.submit(page, "Create Team Member")
    expect(page.locator("#team-member-form [aria-invalid=true]").first).to_be_visible()
    yield State("the refused dialog of a member", page, team_dialog.dialog(page))


def advisors(staff: Staff) -> Iterator[State]:
    groups = {"stats": [{"label": "A"}], "experience": [{"role": "B"}], "services": [{"title": "C"}]}
    advisor = advisor_form.add(name="Accessible Tan", **groups)
    advisor_form.add(name="Accessible Lim", is_active=False)
    colleague = staff(bypass_csp=True)
    page = colleague.open(f"{advisor_form.TAB}&search=accessible")
    expect(page.get_by_role("heading", level=3)).to_have_count(2)
    yield State("the advisors", page)
    page = colleague.open(advisor_form.edit(advisor))
    advisor_form.fill(page, name="", email="x")
    advisor_form.submit(page, "Update Advisor")
    expect(page.locator("#advisor-form [aria-invalid=true]")).to_have_count(2)
    yield State("the refused form of an advisor", page)


def undescribed_picture(staff: Staff) -> Iterator[State]:
    with transaction() as session:
        cover = factories.add_picture(session, alt="")
        address = address_of(cover.key, cover.width)
    page = staff(bypass_csp=True).open(advisor_form.NEW)
    page.route(FILE, lambda route: route.fulfill(body=PIXEL))
    advisor_form.fill(page, **advisor_form.REQUIRED | {"cover_image_url": address})
    page.keyboard.press("Control+s")
    expect(page.get_by_text(DESCRIBE)).to_be_visible()
    yield State("the missing description of a cover", page)


def pictures(staff: Staff) -> Iterator[State]:
    with transaction() as session:
        picture = factories.id_of(factories.add_picture(session, name=f"harbour-{'long-' * 20}seen.jpg", alt=""))
    page = staff(Role.ADMIN, bypass_csp=True).open("/admin/profile")
    page.route("**/media/**", lambda route: route.fulfill(body=PIXEL))
    page.goto(page.url.replace("profile", "media?filter=unused"))
    expect(page.get_by_role("link", name="long-seen")).to_be_visible()
    yield State("unused pictures", page)
    page.goto(f"{page.url}&open={picture}")
    page.get_by_role("textbox", name="Description").fill("IMG_2041")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[aria-invalid=true]")).to_have_count(1)
    yield State("the refused dialog of a picture", page, page.locator(".chakra-modal__body"))


def csv_import(staff: Staff) -> Iterator[State]:
    page = staff(bypass_csp=True).open("/admin/companies/import")
    expect(page.get_by_text("Choose a file")).to_be_visible()
    yield State("the import before a file", page)
    head = ("Name", "Slug", "Industry", "Founded", "Employees", "Location", "Description", "Colour")
    rest = ("11-50", "Singapore", "It grows.")
    rows = (
        ("A company with a long name " * 4, "treacle-tech", "Aquaculture", "2019", *rest, "green" * 30),
        ("Odd", "odd", "Aquaculture", "soon", *rest, ""),
        ("New", "a-new-one", "Aquaculture", "2019", *rest, ""),
    )
    file: FilePayload = {"name": "firms.csv", "mimeType": "text/csv", "buffer": csv_bytes(head, *rows)}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("button", name="Import 2 records")).to_be_enabled()
    yield State("the import of a file", page)


def enquiries(staff: Staff) -> Iterator[State]:
    with transaction() as session:
        wide = {"company": "A-very-long-name-without-any-break-" * 4, "due_at": now() - timedelta(hours=3)}
        factories.add_enquiry(session, first_name="Accessible", **wide)
        factories.add_enquiry(session, first_name="Accessible", handled_at=now())
        number = factories.id_of(
            factories.add_enquiry(
                session,
                **wide,
                first_name="A" * 60,
                message="https://" + "long-address-" * 30,
                source_host="www." + "long-" * 12 + "host.example",
                email="a" * 60 + "@" + "b" * 60 + ".example",
            )
        )
        wei = factories.add_actor(session)
        desk.add_note(session, wei, number, "x" * 400)
        desk.add_answer(session, wei, number, "y" * 400)
        desk.reply(session, wei, number, "z" * 400, 0)
    admin = staff(Role.ADMIN, bypass_csp=True)
    page = admin.open("/admin/enquiries?search=accessible")
    expect(page.get_by_role("row").filter(has_text="Overdue by 3 h")).to_be_visible()
    yield State("the enquiries", page)
    page = admin.open(f"/admin/enquiries/{number}")
    page.locator("summary").filter(has_text="Add note").click()
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_text("Write a note first.")).to_be_visible()
    page.get_by_role("button", name="Send reply").click()
    expect(page.get_by_text("Write a reply first.")).to_be_visible()
    yield State("an enquiry", page)
    page = admin.open("/admin/enquiries/owners")
    expect(page.get_by_role("button", name="Save")).to_be_visible()
    yield State("who answers enquiries", page)


def operations(staff: Staff) -> Iterator[State]:
    given_up("ann@example.com", f"{'long-' * 12}address@example.com")
    page = staff(Role.ADMIN, bypass_csp=True).open("/admin")
    expect(page.locator(".operations").get_by_role("button", name="Send all again")).to_be_visible()
    yield State("backups and failed mail", settled(page))


def personal_data(staff: Staff) -> Iterator[State]:
    address = somebody()
    with transaction() as session:
        factories.add_enquiry(session, email=address, message="Please call me at the long number 65 6123 4567.")
        factories.add_enquiry(session, email="bob@x.example", message=f"{address} told me about you. " * 30)
        factories.add_advisor(session, email=address, name="Ann Lee")
    page = staff(Role.ADMIN, bypass_csp=True).open("/admin/personal-data")
    page.get_by_label("Email address of the person").fill(address)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"What is held about {address}")).to_be_visible()
    expect(page.get_by_text("Please call me at the long number")).to_be_visible()
    yield State("the data of a person", page)


def invitations(staff: Staff) -> Iterator[State]:
    """The dialog that invites, and the page where the invited person creates an account, with a passkey or without."""
    admin = staff(Role.ADMIN, bypass_csp=True)
    page = admin.open("/admin/invitations?invite=new")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Email addresses").wait_for()
    yield State("the dialog that invites people", page)
    long = f"{'a' * 60}@a-company-with-a-long-name.example"
    dialog.get_by_label("Email addresses").fill(f"{somebody()}, {long}, {admin.email}, nobody at all")
    dialog.get_by_role("button", name="Send invitations").click()
    expect(page.get_by_role("heading", name="2 of 4 invited")).to_be_visible()
    yield State("who was invited", page, dialog)
    page = admin.open(invited(admin.user_id))
    VirtualAuthenticator(page, is_willing=False)
    expect(page.get_by_role("heading", name="Create your account")).to_be_visible()
    yield State("the page of an invitation", page)
    page.get_by_role("button", name="Create account").click()
    expect(page.locator("[aria-invalid=true]")).to_have_count(4)
    yield State("the refused page of an invitation", page)
    page.get_by_role("button", name="Use a passkey instead").click()
    page.get_by_role("button", name="Continue").wait_for()
    yield State("an invitation with a passkey", page)
    page.get_by_label("First name").fill("Mei")
    page.get_by_label("Last name").fill("Tan")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Create passkey").wait_for()
    yield State("a new passkey of an invitation", page)


def two_step(staff: Staff) -> Iterator[State]:
    ann = staff(bypass_csp=True)
    page = ann.open("/admin/two-step")
    page.locator("#add-app-form").get_by_role("button", name="Continue").click()
    secret = page.locator(".secret-text").inner_text().replace(" ", "")
    yield State("the setup of an app", page)
    page.get_by_label("Code from the app").fill(code_of(secret))
    page.get_by_role("button", name="Turn on").click()
    expect(page.locator(".recovery-codes")).to_be_visible()
    yield State("recovery codes", page)
    sign_out(page)
    sign_in(page, ann.email, PASSWORD)
    expect(page.get_by_label("Code", exact=True)).to_be_visible()
    yield State("the code of the second step", page)


def passkey(staff: Staff) -> Iterator[State]:
    page = staff(bypass_csp=True).open("/admin/two-step")
    VirtualAuthenticator(page, is_willing=False)
    page.locator("#add-passkey-form").get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Create passkey")).to_be_visible()
    yield State("a new passkey", page)
    holder = somebody()
    identity = identity_with_factor(person(holder))
    passkeys.register(identity, Authenticator().create(passkeys.begin_registration(identity)), "Laptop")
    sign_out(page)
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_visible()
    yield State("sign-in with a passkey", page)
    sign_in(page, holder, PASSWORD)
    expect(page.get_by_role("button", name="Use your passkey")).to_be_visible()
    yield State("a passkey as the second step", page)


def reauthentication(staff: Staff) -> Iterator[State]:
    page = staff(Role.ADMIN, bypass_csp=True).open("/admin?tab=users")
    age(16)
    page.get_by_role("button", name="Export CSV").click()
    expect(page.get_by_role("dialog", name="Confirm it is you")).to_be_visible()
    yield State("the dialog that asks who one is", page)


GATE: tuple[Walk, ...] = (pages, sign_in_pages, menu_and_refused_form)
OTHERS: tuple[Walk, ...] = (
    filtered_lists,
    refused_enquiry,
    row_menu,
    team,
    advisors,
    undescribed_picture,
    pictures,
    csv_import,
    enquiries,
    operations,
    personal_data,
    invitations,
    two_step,
    passkey,
    reauthentication,
    *RECORDS,
)
