"""`lb docs`: the documentation that comes with the package."""

from __future__ import annotations

import click

from cli.output.console import show
from leaderboard.texts.near_names import suggestion


@click.command()
@click.argument("page", required=False)
def command(page: str | None) -> None:
    """Print a PAGE of the documentation as Markdown, or the list of pages.

    \b
    Example:
      lb docs
      lb docs kinds
    """
    from leaderboard.doc_pages import doc_pages, parts_for

    pages = doc_pages()
    texts = {name: parts_for(path.read_text(encoding="utf-8")) for name, path in pages.items()}
    if page is None:
        widest = max(map(len, texts))
        for name, text in texts.items():
            show(f"{name:<{widest}}  {text.splitlines()[0].lstrip('# ')}")
    elif page in texts:
        click.echo(texts[page], nl=False)
    else:
        raise click.BadParameter(f"no page {page!r}; {suggestion(page, pages)}", param_hint="PAGE")
