"""The Privacy Policy: what this site stores about people, why, how long, and their rights."""

from dataclasses import dataclass

from sitekit.ui.copy import Heading, Link, Passage, SeoText

from .firm import FIRM


@dataclass(frozen=True, slots=True)
class StoredData:
    """One row of the table of what is stored; to be updated when the database changes."""

    title: str
    contents: str
    purpose: str
    kept: str


SEO = SeoText(
    title=f"Privacy Policy | {FIRM.name}",
    description="What this site stores about you, why and for how long, and how to see, correct or "
    "withdraw it under Singapore’s Personal Data Protection Act.",
)
LAST_UPDATED = "Last updated 23 Nov 2026"
HERO = Heading(
    eyebrow="Legal",
    title="Privacy Policy",
    text="We ask for little, keep it for as long as it is needed, and sell it to nobody. This page says "
    "exactly what is stored.",
)

STORED_TITLE = "What is stored, and for how long"
STORED_COLUMNS = ("Record", "Holds", "Why", "Kept")
STORED = (
    StoredData(
        "Contact enquiries",
        "First and last name, email address, company, stage, your message, and the time it arrived; the page of this "
        "site, or else the name of the other site, from which you came to the form, if your browser says so",
        "To answer you and to prepare for a conversation",
        "24 months after it arrived or, if that was later, after we marked it as handled; then it is deleted. What "
        "looks like automated advertising, 30 days",
    ),
    StoredData(
        "Work on an enquiry",
        "Our replies, your answers and the notes that our staff add, which of us answers, and when each was done",
        "To answer you in time, and to know what was said",
        "For as long as the enquiry",
    ),
    StoredData(
        "Staff accounts",
        "First and last name, email address, role, when the person last signed in, since when the account is "
        "deactivated, a bcrypt hash of the password and never the password",
        "To let our own people into the back office, and to notice accounts that nobody uses",
        "While the person works with us, then deleted within 30 days",
    ),
    StoredData(
        "Sign-ups",
        "First and last name, email address, and a bcrypt hash of the password that was chosen",
        "To let the owner of the address, and nobody else, open the account by the link we send there",
        "Until the address is confirmed, 30 days at the most; an account that nobody confirmed is deleted with it",
    ),
    StoredData(
        "Invitations to staff",
        "Email address, the name typed with it, role, who invited the person and when, and a hash of the secret in the "
        "link",
        "To let the owner of the address, and nobody else, open an account with that role",
        "Until 30 days after it was accepted or revoked, or has expired, which it does 7 days after it was sent",
    ),
    StoredData(
        "Staff sessions",
        "When a session began and was last used, whether with a second step, when its person last proved who they "
        "are, what the browser calls itself, and a hash of the token that renews it",
        "To keep staff signed in and to end sessions that should not continue",
        "30 days after its last use, and no longer than 90 days in use",
    ),
    StoredData(
        "Second steps of staff",
        "Names of authenticator apps, when each was added and last used, their secrets, encrypted, and hashes of "
        "recovery codes",
        "To let nobody in who has only a password",
        "Until the person removes them or the account is deleted; a setup that was not finished, one day",
    ),
    StoredData(
        "Passkeys of staff",
        "The name its owner gave it, its number and public key, a number by which it knows its owner, how often its "
        "device counted a use, when it was added and last used; never its private key, a fingerprint or a face, which "
        "stay on the device",
        "To let staff sign in without a password, or with a second step after it",
        "Until its owner removes it, or the account is deleted",
    ),
    StoredData(
        "Sign-ins that wait for a second step or a passkey",
        "Whose they are, once that is known, how often it was tried, the value that a passkey has to sign, and "
        "hashes of a secret and of the number of the tab",
        "To ask for a code after the password, and to accept the answer of a passkey once",
        "5 minutes, then deleted within the hour",
    ),
    StoredData(
        "Links we email to staff",
        "A hash of the secret in a link, whose it is, and whether it confirms an address, replaces a password or "
        "changes an email address; then also the new address",
        "To let nobody but the owner of an address confirm it or choose a new password",
        "Until it expires, after 24 hours at the most",
    ),
    StoredData(
        "Messages we send",
        "Recipient, subject (of an enquiry: your name), when it was sent or why not; its words until it has been sent",
        "To deliver messages, and to notice those that did not arrive",
        "30 days after it was sent; 90 days if it could not be, its words with it",
    ),
    StoredData(
        "Versions of published profiles",
        "What a profile said after each change, who changed it and when; that person’s name stays when their account "
        "is deleted",
        "To compare versions, and to take back a mistake",
        "The newest 100 versions and no longer than 24 months. A deleted profile can be restored for 30 days, and is "
        "then erased with its versions, or at once if the person asks us",
    ),
    StoredData(
        "Drafts of profiles",
        "What a profile is to say once it is published, who wrote it and when",
        "To prepare changes and to publish them at a time",
        "Until it is published, or for a day after it was discarded; with a deleted profile, as long as that is kept",
    ),
    StoredData(
        "Links to drafts of profiles",
        "Who shared a draft and when, a hash of the secret in the link, how often it was opened and when last, never "
        "by whom. Requests are counted by a hash of the network that they come from",
        "To let somebody see a draft before it is published, to end that, and to refuse a flood of requests",
        "30 days after the link has expired, which it does after 30 days at the most; the counts one day",
    ),
    StoredData(
        "Log of what staff do",
        "Who did what to which record and when: changes, exports, sign-ins, and refused sign-ins with the email "
        "address that was typed and the network it came from, never the full address",
        "To find out what happened, and to notice somebody who has no business here",
        "24 months; refused sign-ins 90 days",
    ),
    StoredData(
        "Uploaded pictures",
        "The picture itself, without the place, time and camera that it came with; its description, its credit, the "
        "name of its file, who uploaded it and when",
        "To show people and companies on this site",
        "Until our staff delete it; copies in backups as long as those are kept",
    ),
    StoredData(
        "Abuse limits",
        "Times of recent messages and sign-ins, beside a hash of the network or email address, account or browser",
        "To stop automated messages, guessed passwords and endless sign-ins",
        "24 hours, then deleted within the hour",
    ),
    StoredData(
        "Server logs",
        "Time, the page asked for, the result, and, where a proxy stands before the site, the network address; which "
        "actions came from the same open tab, and for staff the number of their account; with a sign-in, a refused "
        "one, and what staff change, delete or export, the email address of the account too",
        "To find faults and to investigate attacks",
        "30 days",
    ),
    StoredData(
        "Published profiles",
        "Names, roles, biographies, pictures and business contacts of our team, advisors and founders",
        "To show who we are and whom we work with, with their consent",
        "Until the person asks us to remove it, or leaves",
    ),
)

PASSAGES = (
    Passage(
        "Who is responsible",
        (
            (
                f"{FIRM.legal_name} (UEN {FIRM.registration_number}), of {FIRM.address}, is responsible for "
                "personal data collected through this site. We handle it under the Personal Data Protection "
                "Act 2012 of Singapore (the PDPA)."
            ),
        ),
        anchor="who",
    ),
    Passage(
        "How we come to have it",
        (
            (
                "You give it to us when you send the contact form, write or telephone, or when you are given "
                "a staff account. Only your name, email address and message are required in the form; "
                "company and stage help us to prepare an answer."
            ),
            (
                "By sending the form you consent to our using what you wrote to answer you. We do not use it "
                "for newsletters, and we do not add you to any list. Please leave out identity card numbers, "
                "health information and anything you hold under a duty of confidence."
            ),
            (
                "What looks like automated advertising, because it was sent within seconds or is full of links, is set "
                "aside without a reply. Our staff can see it there and answer it all the same."
            ),
            (
                "A copy of each enquiry is sent to our own mailbox, and to that of the person who answers it, so that "
                "a partner sees it the same day. Our staff delete it there when the site deletes its own."
            ),
        ),
        anchor="collection",
    ),
    Passage(
        "What your browser keeps",
        (
            (
                "Your browser has small memories that a site may use: cookies, local storage and session "
                "storage. We use them for what is listed here, and for nothing that follows you from site to site."
            ),
        ),
        (
            "Your choice of light or dark theme, if you make one; a cookie tells it to our server for a year",
            "Where several servers share the work, a cookie that names yours, forgotten when the browser is closed",
            "For staff who sign in, the tokens of the session, removed at sign-out",
            "For staff who have signed in, a mark that this browser is known to their account, for 180 days",
            "For staff who use the back office, a cookie for a day with which they see changes to the site at once",
            "For staff, a cookie for each list with its number of rows, for a year, so that nothing moves as it opens",
            "For staff who add a passkey, the passkey, which the browser or the device keeps until it is deleted there",
            "A random number that identifies an open tab to our server, forgotten when the tab is closed",
            "Which replies a tab has shown already, forgotten when the tab is closed",
            "For staff, the numbers of the last eight records that they opened, so that the search offers these again",
            "For staff, what is typed into a form and not saved yet, forgotten when it is saved or the tab is closed",
        ),
        anchor="browser",
    ),
    Passage(
        "What we do not do",
        (
            (
                "There is no analytics service, no advertising cookie, no tracking pixel and no embedded "
                "social-media button on this site. Fonts and images come from our own server. We do not "
                "profile visitors, make automated decisions about them, or sell or rent personal data."
            ),
        ),
        anchor="not",
    ),
    Passage(
        "Who else may see it",
        (
            (
                "Our staff see enquiries when their work requires it. Companies that host our server, "
                "our email and our backups process data on our instructions, under contracts that bind "
                "them to protect it. We disclose data otherwise only when the law requires it, or when "
                "you ask us to, for example to introduce you to an advisor."
            ),
            (
                "The Schedule Call link, and links to social networks and companies, lead to other sites. "
                "Their own policies apply there."
            ),
        ),
        anchor="disclosure",
    ),
    Passage(
        "Transfers outside Singapore",
        (
            (
                "Some of our suppliers may keep data on servers outside Singapore. Before that happens "
                "we make sure, by contract or by the law of the place, that the data receives protection "
                "comparable to that under the PDPA, as its section 26 requires."
            ),
        ),
        anchor="transfers",
    ),
    Passage(
        "How it is protected",
        (
            (
                "Connections to this site are encrypted. Passwords are stored only as bcrypt hashes and "
                "renewal tokens only as hashes, so that neither can be read back. Staff see what their "
                "role allows, and every request is checked on the server. Backups are restricted, and "
                "deleted after a year at most."
            ),
            (
                "If a breach is likely to cause significant harm, or is of significant scale, we notify the "
                "Personal Data Protection Commission within three calendar days of reaching that conclusion, "
                "and the people affected as the PDPA requires."
            ),
        ),
        anchor="security",
    ),
    Passage(
        "Your rights",
        ("Write to our Data Protection Officer at any time to:",),
        (
            (
                "Receive a copy of the personal data we hold about you, as a page to read or as JSON, and learn how it "
                "was used or disclosed in the past year"
            ),
            (
                "Correct what is wrong or incomplete; we pass the correction on to those we gave the data to "
                "in the past year"
            ),
            (
                "Withdraw your consent. We tell you what follows from it, then stop, and delete the data "
                "unless the law obliges us to keep it"
            ),
            (
                "Have everything that this site stores about your email address erased. You receive a list of what was "
                "deleted and of what stays, why and for how long: names in our log of what staff do, and copies in "
                "backups and server logs until they expire"
            ),
        ),
        anchor="rights",
    ),
    Passage(
        "How we answer",
        (
            (
                "We may ask for proof that the request comes from you. We answer within 30 days, or tell "
                "you within that time when the answer will come. Correction is free. If an access "
                "request involves unusual work we may charge a reasonable fee, quoted to you beforehand."
            ),
        ),
        anchor="requests",
    ),
    Passage(
        "Data Protection Officer, and complaints",
        (
            (
                f"Write to the Data Protection Officer, {FIRM.legal_name}, {FIRM.address}, or to "
                f"{FIRM.privacy_email}. You may also telephone {FIRM.phone} and ask for that person."
            ),
            (
                "If our answer does not satisfy you, you may complain to the Personal Data Protection "
                "Commission of Singapore, whose site is linked below."
            ),
        ),
        anchor="officer",
    ),
    Passage(
        "Changes to this policy",
        (
            (
                "When the site begins to store something else, this page changes first and the date at "
                "the top with it. If a change affects data you have already given us, we write to you "
                "beforehand."
            ),
        ),
        anchor="changes",
    ),
)
OFFICER_LINK = Link(FIRM.privacy_email, FIRM.privacy_email_href)
COMMISSION_LINK = Link("Personal Data Protection Commission", "https://www.pdpc.gov.sg", external=True)
