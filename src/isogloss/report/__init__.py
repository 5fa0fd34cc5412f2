"""The report: figures, tables and values made from results, and the pages that include them."""
