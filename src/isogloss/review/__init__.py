"""Human review: pairs go out to people, their decisions come back and are kept."""
