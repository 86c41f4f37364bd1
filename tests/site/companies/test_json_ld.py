"""What search engines read about a company."""

from dataclasses import asdict

import pytest

from advisory_site.companies.fields import CompanyPage
from advisory_site.companies.json_ld import company_meta
from advisory_site.companies.public import CompanyState
from advisory_site.content.firm import FIRM
from sitekit.server.framework.state_vars import var_key
from sitekit.server.seo.meta_tags import PageContext


@pytest.mark.spec("CO-2")
def test_a_telephone_for_search_engines_is_the_number_that_its_link_dials() -> None:
    company = CompanyPage(name="Kelp", phone="Tel. +65 (0)6123 4567", dialled="+6561234567")
    vars = {CompanyState.get_full_name(): {var_key("company"): asdict(company)}}
    meta = company_meta(PageContext("https://firm.example", "/companies/kelp", "Kelp", "", vars))
    telephones = {thing["name"]: thing["telephone"] for thing in meta.graph if thing["@type"] == "Organization"}
    assert telephones == {"Kelp": "+6561234567", FIRM.name: FIRM.phone_href.removeprefix("tel:")}
