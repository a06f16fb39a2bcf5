"""A type of answers that can be imported by its path."""

from __future__ import annotations

import datetime

import pydantic


class Dated(pydantic.BaseModel):
    year: int
    day: datetime.date
