"""The agent frameworks: one module per framework, and the list of them.

A module imports its framework when it runs, so no other is needed.
"""

from collections.abc import Mapping
from typing import Final

# The name on the command line, which is also that of the extra; the adapter's module and class.
FRAMEWORKS: Final[Mapping[str, tuple[str, str]]] = {
    "langgraph": ("langgraph", "LangGraphAgent"),
    "crewai": ("crewai", "CrewAiAgent"),
    "autogen": ("autogen", "AutoGenAgent"),
    "openai-agents": ("openai_agents", "OpenAiAgentsAgent"),
    "agno": ("agno", "AgnoAgent"),
}
