"""An open project: its configuration and sources, and where each stage keeps its files."""

from isogloss.project.configured import Job, Section
from isogloss.project.opening import Project, open_project, used_sources

__all__ = ["Job", "Project", "Section", "open_project", "used_sources"]
