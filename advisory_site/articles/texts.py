"""The copy of the pages of articles: the list, one article, and what other pages say of them."""

from sitekit.ui.copy import CallToAction, Heading, Link, SeoText, changeable

from .. import routes
from ..content.firm import FIRM

NAME = "Insights"
SEO = changeable(
    SeoText(
        title=f"Insights: cases and methods | {FIRM.name}",
        description="What we learn with growth-stage companies in Southeast Asia, told month by month: decisions, what "
        "they cost, what happened, and what we would do differently.",
    )
)
HERO = changeable(
    Heading(
        eyebrow="Insights",
        title="What we learned, with the numbers",
        text="Cases that founders let us tell, and what we have come to think after doing something more than once. "
        "We write when we have something to say.",
    )
)
LIST_TITLE = "All articles"
FILTERS_LABEL = "Filter the articles"
TOPIC_LABEL = "Topic"
LOADING = "Loading..."
EMPTY_TITLE = changeable("Nothing is published yet.")
EMPTY_TEXT = changeable(f"Write to {FIRM.email} if you have a question that you would like us to write about.")
# While the list cannot be read
AWAY_TITLE = changeable("The list is being updated")
AWAY_TEXT = changeable("Please check back soon.")
BY = "By"
MINUTES = "min read"  # after their number
CASE_LABEL = "Case"
FEED_TITLE = f"Insights from {FIRM.name}"

# One article
BACK = Link("Back to Insights", routes.INSIGHTS)
NOT_FOUND_TITLE = "Article Not Found"
NOT_FOUND_TEXT = "There is no such article, or it is no longer published."
ARTICLE_SEO = SeoText(
    title=f"Article | {FIRM.name}",
    description="One of our articles for founders of growth-stage companies in Southeast Asia: what was decided, what "
    "it cost, and what came of it.",
)
WRITTEN_IN = "Written in {month}."
UPDATED = "Updated {day}"
TOPICS_LABEL = "Topics"
COMPANIES_TITLE = changeable("Companies in this article")
NEXT_CASE, A_CASE = "Next case", "A case from our work"
OTHERS_TITLE = changeable("More by this author")
CLOSING = changeable(
    CallToAction(
        title="Is your question a different one?",
        text="Tell us where you stand. A partner reads every message and says whether we can be of use.",
        primary=Link("Tell Us About It", routes.CONTACT),
    )
)

# On other pages
BY_AUTHOR_TITLE = "Articles"
ABOUT_COMPANY_TITLE = "In our articles"
CASE_LINK = "Read the case"
HOME_LABEL = "From our desk"
HOME_LINK = changeable(Link("All of our insights", routes.INSIGHTS))
