"""smolagents' module ``default_tools``."""

from smolcell.compat import (
    DuckDuckGoSearchTool,
    FinalAnswerTool,
    PythonInterpreterTool,
    UserInputTool,
    VisitWebpageTool,
    WebSearchTool,
    WikipediaSearchTool,
)

__all__ = [
    "TOOL_MAPPING",
    "DuckDuckGoSearchTool",
    "FinalAnswerTool",
    "PythonInterpreterTool",
    "UserInputTool",
    "VisitWebpageTool",
    "WebSearchTool",
    "WikipediaSearchTool",
]

TOOL_MAPPING = {kind.name: kind for kind in (PythonInterpreterTool, WebSearchTool, VisitWebpageTool)}
