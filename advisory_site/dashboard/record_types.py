"""Every record type of the site."""

from collections.abc import Mapping

from ..advisors.service import ADVISORS
from ..companies.service import COMPANIES
from ..records.record_type import AnyRecordType
from ..team.service import MEMBERS

# By the names of their tables.
RECORD_TYPES: Mapping[str, AnyRecordType] = {kind.table_name: kind for kind in (COMPANIES, MEMBERS, ADVISORS)}
