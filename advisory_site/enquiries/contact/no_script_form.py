"""The contact form posted without scripts: the same fields, limits and storage, answered by a page."""

import logging
from typing import Any

from sitekit.base import request_context
from sitekit.base.errors import InvalidInput, ServiceError, TooManyAttempts
from sitekit.base.observability.log_throttle import ThrottledLog
from sitekit.server.framework.state_vars import var_key
from sitekit.server.http.form_posts import FormRequest, FormResponse
from sitekit.ui.feedback import mentioning, reason

from .. import messages, submission
from .. import texts as contact
from .state import FIELDS, ContactState, thanks

_log_failure = ThrottledLog(logging.getLogger(__name__), logging.ERROR)


async def send(posted: FormRequest) -> FormResponse:
    """Store a posted form. On an error, the page shows the typed values with an error beside each invalid field."""
    try:
        receipt = await submission.receive(posted.fields, posted.client_address)
    except InvalidInput as error:
        return _again(posted, 422, error.fields)
    except ServiceError as error:
        status = 429 if isinstance(error, TooManyAttempts) else 400
        return _again(posted, status, {contact.MESSAGE.name: error.message})
    except Exception as error:
        # Also in the line of this request: only one of several failures a minute is logged by itself.
        request_context.add_fact("why", reason(error))
        _log_failure("%s (%s)", messages.ENQUIRY_NOT_STORED, reason(error))
        return _again(posted, 503, {contact.MESSAGE.name: mentioning(messages.ENQUIRY_NOT_STORED)})
    return FormResponse(200, _vars(is_sent=True, thanks=thanks(posted.fields, receipt)))


def _again(posted: FormRequest, status: int, complaints: dict[str, str]) -> FormResponse:
    """The form again with its errors; an error of no field is shown beside the last field, near the button."""
    typed = {name: posted.fields.get(name, "") for name in FIELDS}
    return FormResponse(status, _vars(drawn_errors={name: complaints.get(name, "") for name in FIELDS}, typed=typed))


def _vars(**values: Any) -> dict[str, dict[str, Any]]:
    return {ContactState.get_full_name(): {var_key(name): value for name, value in values.items()}}
