"""Replies to an action, word for word as people are promised them."""

import pytest

from advisory_site.content import messages

PROMISED = {
    "AD-2": {
        "ADVISOR_NOT_FOUND": "Advisor not found",
        "ADVISOR_PROFILE_FAILED": "Failed to load advisor profile",
    },
    "AUTH-4": {
        "SIGN_IN_FAILED": "Failed to sign in",
        "UNEXPECTED_ERROR": "An unexpected error occurred",
        "SIGNED_IN": "Welcome back!",
        "SIGNING_IN": "Signing in...",
    },
    "AUTH-5": {
        "PASSWORDS_DO_NOT_MATCH": "Passwords do not match",
        "PASSWORD_TOO_SHORT": "Password must be at least 6 characters",
        "ACCOUNT_CREATED": "Account created successfully! Please check your email for verification.",
        "ACCOUNT_CREATE_FAILED": "Failed to create account",
        "CREATING_ACCOUNT": "Creating account...",
    },
    "AUTH-7": {"EMAIL_NOT_CONFIRMED": "Email not confirmed"},
    "AUTH-8": {"INVALID_CREDENTIALS": "Invalid login credentials"},
    "SES-5": {"SESSION_MISSING": "Auth session missing!"},
    "USR-1": {"USER_NAME_MISSING": "No name provided"},
    "USR-2": {"USERS_VIEW_ONLY": "View only - admin access required to make changes."},
    "USR-3": {
        "ROLE_UPDATED": "User role updated successfully",
        "ONLY_ADMINS_CHANGE_ROLES": "Only admins can change user roles",
        "ROLE_UPDATE_FAILED": "Failed to update user role",
        "USERS_FETCH_FAILED": "Failed to fetch users",
    },
    "ACO-3": {
        "COMPANY_DELETE_CONFIRM": "Are you sure you want to delete this company?",
        "COMPANY_DELETED": "Company deleted successfully",
        "COMPANY_DELETE_FAILED": "Failed to delete company",
        "COMPANIES_FETCH_FAILED": "Failed to fetch companies",
    },
    "ACO-4": {"COMPANY_FETCH_FAILED": "Failed to fetch company data"},
    "ACO-5": {"REQUIRED_FIELDS_MISSING": "Please fill in all required fields"},
    "ACO-7": {
        "COMPANY_CREATED": "Company created successfully",
        "COMPANY_CREATE_FAILED": "Failed to create company",
        "COMPANY_UPDATED": "Company updated successfully",
        "COMPANY_UPDATE_FAILED": "Failed to update company",
    },
    "ATM-4": {
        "MEMBER_DELETE_CONFIRM": "Are you sure you want to delete this team member?",
        "MEMBERS_FETCH_FAILED": "Failed to fetch team members",
        "MEMBER_CREATED": "Team member created successfully",
        "MEMBER_UPDATED": "Team member updated successfully",
        "MEMBER_DELETED": "Team member deleted successfully",
        "MEMBER_DELETE_FAILED": "Failed to delete team member",
        "MEMBER_SAVE_FAILED": "Failed to save team member",
    },
    "AAD-1": {"ADVISORS_EMPTY": "No advisors found"},
    "AAD-2": {"ADVISOR_FETCH_FAILED": "Failed to fetch advisor details"},
    "AAD-5": {
        "ADVISOR_DELETE_CONFIRM": "Are you sure you want to delete this advisor?",
        "ADVISOR_CREATED": "Advisor created successfully",
        "ADVISOR_CREATE_FAILED": "Failed to create advisor",
        "ADVISOR_UPDATED": "Advisor updated successfully",
        "ADVISOR_UPDATE_FAILED": "Failed to update advisor",
        "ADVISOR_DELETED": "Advisor deleted successfully",
        "ADVISOR_DELETE_FAILED": "Failed to delete advisor",
        "ADVISORS_FETCH_FAILED": "Failed to fetch advisors",
    },
}
CASES = [
    pytest.param(name, text, marks=pytest.mark.spec(spec), id=f"{spec}-{name}")
    for spec, texts in PROMISED.items()
    for name, text in texts.items()
]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_reply_reads_as_promised(name, text):
    assert getattr(messages, name) == text


@pytest.mark.spec("AUTH-10")
def test_too_many_attempts_says_how_long_to_wait():
    text = messages.TOO_MANY_ATTEMPTS.format(wait="5 minutes")
    assert text.startswith("Too many attempts")
    assert "5 minutes" in text


@pytest.mark.spec("CON-4", "CON-5")
def test_a_refused_enquiry_says_that_nothing_typed_is_lost():
    refused = (messages.ENQUIRY_TOO_MANY.format(wait="10 minutes"), messages.ENQUIRY_NOT_STORED)
    assert all("what you typed is still here" in text.lower() for text in refused)
    assert "10 minutes" in refused[0]


@pytest.mark.spec("AUTH-8")
def test_a_mailed_link_is_promised_without_revealing_an_account():
    assert messages.RECOVERY_SENT.startswith("If ")
    assert messages.VERIFICATION_SENT.startswith("If ")
