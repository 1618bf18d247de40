"""The description of the tables in Croissant 1.0."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
from functools import cache
from typing import Any

import polars as pl
import pytest

from site_templates.board_index import index_board
from site_templates.data import croissant
from site_templates.data.download_links import board_downloads
from site_templates.links import CROISSANT_PATH
from tests.site_templates import site_board
from tests.site_templates.rendered import small_site
from tests.site_templates.site_html import parse

BASE = "https://example.org/board/"


@cache
def description() -> Any:
    return json.loads(small_site()[CROISSANT_PATH])


@pytest.mark.large
def test_the_description_has_what_croissant_requires() -> None:
    """The properties that the board knows; each file and field has an id of its own."""
    made = description()
    parts = [*made["distribution"], *made["recordSet"]]
    parts += [field for record_set in made["recordSet"] for field in record_set["field"]]
    words = {word for part in (made, *parts) for word in part if not word.startswith("@")}
    terms = ("description", "distribution", "license", "name", "url")
    of_schema_org = {*terms, "contentSize", "contentUrl", "encodingFormat", "sha256"}

    assert made["@type"] == "sc:Dataset"
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert made["name"] == site_board.board().title
    assert made["description"]
    assert len({part["@id"] for part in parts}) == len(parts)
    assert all(part["name"] for part in parts)
    assert words - of_schema_org <= made["@context"].keys()


@pytest.mark.large
def test_every_table_of_the_board_is_described() -> None:
    """Each file that every page links, and the ranks, with digest and size."""
    about = {"case health", "schemas", "description"}
    downloads = dict(board_downloads(index_board(site_board.board())))
    linked = {link.path for title in downloads.keys() - about for link in downloads[title]}
    found = {f"data/{row['contentUrl']}": row for row in description()["distribution"]}

    assert found.keys() == {*linked, "data/ranks.json"}
    for path, row in found.items():
        content = small_site()[path]
        assert row["sha256"] == hashlib.sha256(content).hexdigest()
        assert row["contentSize"] == f"{len(content)} B"


@pytest.mark.large
def test_fields_are_the_columns_of_the_parquet_files() -> None:
    """Each names a described file and a column that it has, with the type of its values."""
    kinds = {"sc:Integer": int, "sc:Float": float, "sc:Boolean": bool, "sc:Text": str}
    files = {row["@id"] for row in description()["distribution"]}
    for record_set in description()["recordSet"]:
        sources = {field["source"]["fileObject"]["@id"] for field in record_set["field"]}
        [file] = sources
        assert file in files
        table = pl.read_parquet(io.BytesIO(small_site()[f"data/{file}"]))
        columns = [field["source"]["extract"]["column"] for field in record_set["field"]]
        assert columns == table.columns
        for field in record_set["field"]:
            values = table[field["name"]].drop_nulls()
            assert {type(value) for value in values} <= {kinds[field["dataType"]]}


def test_a_published_site_has_addresses_and_its_owner_a_licence() -> None:
    """Addresses are whole with --base-url; licence and citation are those of [site]."""
    board = site_board.board()
    look = dataclasses.replace(board.look, licence="CC BY 4.0", citation="@misc{a}\n")
    board = dataclasses.replace(board, look=look)
    files = [("data/scores.json", b"{}"), ("other.json", b"{}")]
    *kept, (path, content) = croissant.with_description(index_board(board), BASE, files)
    made = json.loads(content)

    assert (kept, path) == (files, CROISSANT_PATH)
    assert [row["contentUrl"] for row in made["distribution"]] == [f"{BASE}data/scores.json"]
    assert (made["url"], made["license"], made["citeAs"]) == (BASE, "CC BY 4.0", "@misc{a}")


@pytest.mark.large
def test_the_first_page_links_the_description() -> None:
    """In its head, where search engines look, and in its footer, where people do."""
    page = parse(small_site()["index.html"])
    [link] = page.all("link", type="application/ld+json")

    assert link.attributes["href"] == CROISSANT_PATH
    assert page.all("a", href=CROISSANT_PATH)
