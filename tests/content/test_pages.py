"""The promises of the page copy that are data: counts, fixed titles, destinations, stored values."""

import pytest

from advisory_site.advisors import texts as advisors
from advisory_site.companies import texts as companies
from advisory_site.content import home, how_we_work, layout, not_found, what_we_do, why_us
from advisory_site.content.firm import FIRM
from advisory_site.content.support import SUPPORT_AREAS
from advisory_site.core import routes
from advisory_site.enquiries import texts as contact
from advisory_site.team import texts as team


def titles(items) -> list[str]:
    return [item.title for item in items]


def hrefs(links) -> dict[str, str]:
    return {link.label: link.href for link in links}


@pytest.mark.spec("LAY-1")
def test_the_header_leads_to_the_five_pages_and_to_contact():
    assert hrefs(layout.NAVIGATION) == {
        "Why Us": "/why-us",
        "What We Do": "/what-we-do",
        "How We Work": "/how-we-work",
        "Advisors": "/advisors",
        "Contact": "/contact",
    }
    assert layout.GET_STARTED.label == "Get Started"
    assert layout.GET_STARTED.href == "/contact"


@pytest.mark.spec("LAY-3")
def test_the_footer_has_every_link_once():
    links = [link for group in layout.FOOTER_GROUPS for link in group.links] + list(layout.FOOTER_LEGAL)
    assert len(links) == 10
    assert hrefs(links) == {
        "Why Us": "/why-us",
        "What We Do": "/what-we-do",
        "How We Work": "/how-we-work",
        "Scale Model": "/what-we-do#strategic-support",
        "For Founders": "/#strategic-support",
        "Ventures": "/companies",
        "Team": "/team",
        "Advisors": "/advisors",
        "Privacy Policy": "/privacy",
        "Terms of Service": "/terms",
    }


@pytest.mark.spec("LAY-4")
def test_the_footer_reaches_the_firm_and_names_its_registration():
    assert layout.FOOTER_TAGLINE
    assert layout.FOOTER_EMAIL.href == f"mailto:{FIRM.email}"
    assert layout.FOOTER_PHONE.href == "tel:+6561234567"
    assert all(link.external and link.href.startswith("https://") for link in layout.FOOTER_SOCIAL)
    assert len(layout.FOOTER_SOCIAL) == 2
    assert FIRM.registration_number in layout.FOOTER_COPYRIGHT
    assert "©" in layout.FOOTER_COPYRIGHT


@pytest.mark.spec("HOME-1")
def test_the_hero_speaks_of_scaling_with_clarity_and_speed():
    for word in ("scale", "growth-stage", "clarity", "speed"):
        assert word in home.HERO.title.lower()
    assert hrefs([home.HERO_PRIMARY, home.HERO_SECONDARY]) == {
        "Start Your Journey": "/contact",
        "Learn More": "/why-us",
    }


@pytest.mark.spec("HOME-2")
def test_home_shows_the_four_numbers():
    assert [(stat.value, stat.label.lower()) for stat in home.STATS] == [
        ("50+", "startups scaled"),
        ("$2B+", "value created"),
        ("35+", "years experience"),
        ("100%", "founder focused"),
    ]


@pytest.mark.spec("HOME-3")
def test_founders_choose_us_for_four_reasons():
    assert home.WHY_FOUNDERS.title == "Why Founders Choose Us"
    assert titles(home.WHY_FOUNDERS_CARDS) == [
        "Strategic Clarity",
        "Ecosystem Access",
        "Hands-On Execution",
        "Proven Framework",
    ]


@pytest.mark.spec("HOME-4")
def test_there_are_eight_support_areas_each_with_a_summary():
    assert routes.STRATEGIC_SUPPORT == "strategic-support"
    assert titles(SUPPORT_AREAS) == [
        "Key Operational & Strategic Issues",
        "Supportive Mentoring Advice",
        "Product Review & Vision Development",
        "Investor Attraction & Funding Optimisation",
        "Market & Intellectual Property Review",
        "GTM Material Preparation & Partner Outreach",
        "Financial Metrics & Founder Investibility",
        "Additional Customised GTM Plans",
    ]
    assert all(area.summary for area in SUPPORT_AREAS)


@pytest.mark.spec("HOME-5")
def test_home_closes_with_a_consultation_or_the_model():
    assert hrefs([home.CLOSING.primary, home.CLOSING.secondary]) == {
        "Book a Consultation": "/contact",
        "Explore Our Model": "/what-we-do#strategic-support",
    }


@pytest.mark.spec("WHY-1")
def test_why_us_states_mission_vision_and_purpose():
    assert titles(why_us.BELIEFS) == ["Mission", "Vision", "Purpose"]


@pytest.mark.spec("WHY-2")
def test_why_us_has_four_principles():
    assert titles(why_us.PRINCIPLE_CARDS) == [
        "Founder-First",
        "Data-Driven",
        "Execution-Focused",
        "Long-term Partnership",
    ]


@pytest.mark.spec("WHAT-1")
def test_there_are_four_core_services():
    assert titles(what_we_do.SERVICES) == [
        "Strategic Advisory",
        "Growth Acceleration",
        "Ecosystem Building",
        "Investment & Governance",
    ]


@pytest.mark.spec("WHAT-2")
@pytest.mark.parametrize("area", SUPPORT_AREAS, ids=lambda area: area.title)
def test_each_support_area_has_four_different_details(area):
    assert len(set(area.details)) == 4
    assert all(len(detail.split()) >= 6 for detail in area.details)


@pytest.mark.spec("HOW-1")
def test_the_four_steps_stand_in_order():
    assert titles(how_we_work.STEPS) == [
        "Discovery & Assessment",
        "Strategic Planning",
        "Implementation Support",
        "Monitoring & Optimization",
    ]


@pytest.mark.spec("HOW-2")
def test_the_three_engagement_models_say_how_long_they_last():
    assert {model.title: model.duration for model in how_we_work.ENGAGEMENTS} == {
        "Advisory Partnership": "3-12 months",
        "Intensive Sprint": "4-6 weeks",
        "Strategic Consultation": "1-2 sessions",
    }


@pytest.mark.spec("HOW-3")
def test_eight_tools_have_a_name_and_a_use():
    assert len({tool.name for tool in how_we_work.TOOLS}) == 8
    assert all(tool.text.endswith(".") for tool in how_we_work.TOOLS)


@pytest.mark.spec("HOW-4")
def test_how_we_work_ends_with_a_conversation():
    assert how_we_work.CLOSING.primary.label == "Start the Conversation"
    assert how_we_work.CLOSING.primary.href == "/contact"


@pytest.mark.spec("CON-1")
def test_the_contact_form_has_six_named_fields():
    assert contact.HERO.title == "Let's Scale Your Vision"
    assert {field.name: field.label for field in contact.FIELDS} == {
        "firstName": "First Name",
        "lastName": "Last Name",
        "email": "Email",
        "company": "Company",
        "stage": "Stage",
        "message": "Message",
    }
    assert contact.SUBMIT == "Send Message"


@pytest.mark.spec("CON-2")
def test_the_stages_keep_their_stored_values():
    assert [stage.value for stage in contact.STAGES] == ["pmf", "commercialization", "scale", "other"]
    assert contact.STAGES[0].label == "Product-Market Fit"


@pytest.mark.spec("CON-3")
def test_the_side_panel_offers_four_ways_to_reach_the_firm():
    ways = {way.label: (way.text, way.href) for way in contact.WAYS}
    assert ways == {
        "Email": (FIRM.email, f"mailto:{FIRM.email}"),
        "Phone": (FIRM.phone, FIRM.phone_href),
        "Location": ("Singapore", ""),
    }
    assert contact.CALL_LINK.label == "Schedule Call"
    assert contact.CALL_LINK.external
    assert "30-minute discovery call" in contact.CALL_TEXT


@pytest.mark.spec("CON-4")
def test_four_fields_of_the_contact_form_are_required():
    required = [field.name for field in contact.FIELDS if field.required]
    assert required == ["firstName", "lastName", "email", "message"]


@pytest.mark.spec("CON-5")
def test_the_honeypot_is_no_field_that_people_fill_in():
    assert contact.HONEYPOT.name not in [field.name for field in contact.FIELDS]


@pytest.mark.spec("CO-1")
def test_a_company_card_leads_to_details_and_to_contact():
    assert companies.DETAILS_LABEL == "View Details"
    assert companies.CONTACT_LINK.label == "Get in Touch"
    assert companies.CONTACT_LINK.href == "/contact"


@pytest.mark.spec("CO-3")
def test_a_missing_company_leads_back_to_the_list():
    assert companies.NOT_FOUND_TITLE == "Company Not Found"
    assert companies.BACK.label == "Back to Companies"
    assert companies.BACK.href == "/companies"


@pytest.mark.spec("TM-1")
def test_the_team_page_shows_four_numbers_and_its_values():
    assert [(stat.value, stat.label.lower()) for stat in team.STATS] == [
        ("75+", "years combined experience"),
        ("15+", "exits"),
        ("$2B+", "value created"),
        ("200+", "startups supported"),
    ]
    assert team.LOADING == "Loading team members..."
    assert team.VALUE_CARDS


@pytest.mark.spec("TM-2")
def test_a_missing_team_member_leads_back_to_the_team():
    assert team.NOT_FOUND_TITLE == "Team Member Not Found"
    assert team.BACK.label == "Back to Team"
    assert team.BACK.href == "/team"


@pytest.mark.spec("TM-4")
def test_meet_our_team_leads_to_the_team_and_to_contact():
    assert team.MEET_TEAM_LINK.href == "/team"
    assert team.MEET_CONTACT_LINK.label == "Get in Touch"
    assert team.MEET_CONTACT_LINK.href == "/contact"


@pytest.mark.spec("AD-1")
def test_the_advisors_page_has_twelve_tags_three_steps_and_a_contact():
    assert len(set(advisors.EXPERTISE_TAGS)) == 12
    assert advisors.STEPS_HEADING.title == "How Our Advisory Network Works"
    assert len(advisors.STEPS) == 3
    assert advisors.CLOSING.primary.label == "Contact Us"
    assert advisors.CLOSING.primary.href == "/contact"


@pytest.mark.spec("AD-1")
def test_the_invitation_to_advisors_is_long_and_signed():
    words = sum(
        len(text.split()) for passage in advisors.PITCH_PASSAGES for text in passage.paragraphs + passage.bullets
    )
    assert words > 350
    assert FIRM.founder_name == advisors.PITCH_SIGNATURE_NAME
    assert advisors.PITCH_EMAIL.href == f"mailto:{FIRM.founder_email}"
    assert advisors.PITCH_PHONE.href == FIRM.founder_phone_href
    assert FIRM.registration_number in advisors.PITCH_REGISTRATION


@pytest.mark.spec("AD-2")
def test_a_missing_advisor_leads_back_to_the_network():
    assert advisors.NOT_FOUND_TITLE == "Advisor Not Found"
    assert advisors.BACK.label == "Back to Advisors"
    assert advisors.BACK.href == "/advisors"


@pytest.mark.spec("NF-1")
def test_an_unknown_address_leads_home():
    assert (not_found.CODE, not_found.TITLE) == ("404", "Oops! Page not found")
    assert not_found.HOME_LINK.label == "Return to Home"
    assert not_found.HOME_LINK.href == "/"
