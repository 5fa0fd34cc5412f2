"""Compares the report with what it was made from: parts with tables, pages with parts.

Pages are read as HTML and nothing in them is executed. What a page should show is read from its
source by pandoc, with the parts made anew, so that the check does not depend on the renderer.
"""
