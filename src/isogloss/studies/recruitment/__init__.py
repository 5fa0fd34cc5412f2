"""Job postings in two wordings, judged for personas: agentic or communal, inclusive or coded."""
