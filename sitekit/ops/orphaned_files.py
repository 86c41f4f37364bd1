"""Deletes files of pictures without a row: left over if an upload or a deletion was interrupted."""

import logging
from datetime import datetime, timedelta

import sqlalchemy as sa

from ..base.db.database import read_session
from ..records.features import record_types
from ..records.pictures.addresses import KEY_LENGTH
from ..records.pictures.models import columns
from ..records.pictures.storage import store
from ..records.pictures.uses import records_using, versions_using

# Much longer than an upload takes: until it ends, its files have no row.
KEPT = timedelta(days=1)

log = logging.getLogger(__name__)


def delete_orphans(at: datetime) -> int:
    """Delete files that are older than `KEPT` and belong to no picture; how many. Raises `StoreUnavailable`.

    Files that a record or one of its versions refers to stay. If more pictures in the store are unknown than known,
    nothing is deleted, because they are probably those of another site, or the database is not the one they belong to.
    """
    files: dict[str, list[str]] = {}
    for name in store().names():
        files.setdefault(name[:KEY_LENGTH], []).append(name)
    # Read after the files were listed: an upload stores them before its row.
    with read_session() as session:
        known_keys = set(session.execute(sa.select(columns.key)).scalars())
        unknown = files.keys() - known_keys
        if len(unknown) > len(known_keys):
            log.warning("%s pictures in the store are not in the database: nothing is deleted.", len(unknown))
            return 0
        orphans = [
            key
            for key in unknown
            if not records_using(session, record_types(), key) and not versions_using(session, key)
        ]
    names = [name for key in orphans for name in files[key]]
    return store().delete_old(names, at - KEPT) + store().delete_unfinished(at - KEPT)
