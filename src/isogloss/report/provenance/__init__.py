"""Where the numbers of the report come from, and how its pages say so.

`origins` ties rows of tables to the files they were read from, `readings` notes what of a row a
function reads, and `sources` writes that as the title of a span, and reads it back.
"""

from isogloss.report.provenance.origins import (
    COUNT,
    ORIGIN,
    Origin,
    cite_count,
    joined,
    origins_of,
    rows_source,
    with_origins,
)
from isogloss.report.provenance.readings import Reading, Record, cited, cited_once
from isogloss.report.provenance.sources import Cited, Source, cite, parse_sources, title_of

__all__ = [
    "COUNT",
    "ORIGIN",
    "Cited",
    "Origin",
    "Reading",
    "Record",
    "Source",
    "cite",
    "cite_count",
    "cited",
    "cited_once",
    "joined",
    "origins_of",
    "parse_sources",
    "rows_source",
    "title_of",
    "with_origins",
]
