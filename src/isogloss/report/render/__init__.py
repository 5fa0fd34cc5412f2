"""Render the report's pages to self-contained HTML, with Quarto or with a small pandoc renderer."""

from isogloss.report.render.quarto import find_quarto
from isogloss.report.render.site import Rendering, render_site

__all__ = ["Rendering", "find_quarto", "render_site"]
