"""The limits of everything that strangers can make large. docs/limits.md lists them for readers.

Where a limit is checked, a message says what to do about it: limits of records are checked in
responses/accepted_records.py, limits of JSON files in files/json_files.py, and so on. Replies of
APIs have limits of their own in runners/apis/.
"""

from __future__ import annotations

from typing import Final

# Files. Git hosts refuse files over 100 MB, and a small .gz must not unpack to a full disk.
FILE_BYTES: Final = 100 * 1024 * 1024
UNPACKED_BYTES: Final = 512 * 1024 * 1024
ARCHIVE_MEMBERS: Final = 100
ARCHIVE_FILES: Final = 200_000  # of a zip file
SAMPLE_BYTES: Final = 40 * 1024 * 1024  # of a log, with all that its framework noted
TEXT_FILE_BYTES: Final = 128 * 1024  # Markdown, TOML and CSS
CARD_BYTES: Final = 128 * 1024  # of a submission, with its settings
README_BYTES: Final = 32 * 1024  # of a submission; rendering hostile Markdown takes quadratic time
LOGO_BYTES: Final = 256 * 1024
TOML_DOTS: Final = 100  # in one line, outside strings
JSON_DEPTH: Final = 250
JSON_VALUES: Final = 25_000_000  # of one file: 100 bytes each in memory, and two in the file
SCHEMA_VALUES: Final = 100_000  # of a tool, each time that a reference repeats them

# More marks on one character would cover the lines around it: Unicode TS 39, section 5.4.
MARKS: Final = 4

# Responses.
MOST_RECORDS: Final = 1_000_000  # of one responses file
RECORD_BYTES: Final = 2 * 1024 * 1024
TEXT_LENGTH: Final = 200_000  # characters of an answer, and of a call as JSON
ANSWERS_LENGTH: Final = 20_000_000  # characters of all different answers of a file
REPLY_BYTES: Final = 64 * 1024 * 1024  # of a model or an API server that lb run asks
# Facts read no more, so that no answer takes long. An answer with more fails: otherwise a judge
# would read what no fact has seen.
FACTS_LENGTH: Final = 6_000  # characters of an answer
MOST_TRIALS: Final = 100
# After the first trial, cases without a record cost a submitter nothing, but a board has rows for
# each of them.
MOST_UNANSWERED: Final = 20_000

# What a response cost. Other amounts are mistakes, and would stretch every chart of a board.
MOST_TOKENS: Final = 10**12
MOST_DOLLARS: Final = 1_000_000  # for one response, or for a million tokens
MOST_SECONDS: Final = 366 * 24 * 60 * 60  # a year
LEAST_AMOUNT: Final = 1e-12  # dollars or seconds above 0

# Recorded judge calls.
CASSETTE_CALLS: Final = 100_000

# Snapshots.
LABEL_LENGTH: Final = 200  # characters

# What is published and printed. GitHub Pages publishes at most 1 GB.
SITE_BYTES: Final = 900 * 1024 * 1024
SITE_FILES: Final = 200_000
CSV_ROWS: Final = 100_000  # verdicts that are published as CSV too, about 20 MB; see Board.is_large
REPORT_BYTES: Final = 60_000  # a comment on a pull request holds 65,536 characters
PROBLEMS_SHOWN: Final = 200
PROBLEMS_KEPT: Final = 10_000  # of one file, each with its line; more take minutes and gigabytes


def megabytes(size: int) -> str:
    """A size for messages: `512 MB`."""
    return f"{size / 1024 / 1024:,.0f} MB"
