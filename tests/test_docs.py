"""The reference pages name every setting, source field, table and column."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from isogloss.analysis.missing import MissingCounts
from isogloss.analysis.records import Cell, columns_of
from isogloss.analysis.families import Adjusted
from isogloss.analysis.tables import TABLES
from isogloss.config.schema import EncoderConfig, General, RecordedModel, Run, Sections
