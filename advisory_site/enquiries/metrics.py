"""The metric of the contact form."""

from prometheus_client import Counter

from sitekit.base.event_outcome import Outcome
from sitekit.base.observability.metrics import REGISTRY

enquiries = Counter(
    "advisory_enquiries_total",
    "Contact forms that were sent, by outcome; done is stored.",
    ["outcome"],
    registry=REGISTRY,
)
# 0 from the start, so that the first failure is an increase.
for _outcome in (Outcome.DONE, Outcome.REFUSED, Outcome.FAILED):
    enquiries.labels(_outcome)
