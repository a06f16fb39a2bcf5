"""smolagents' module ``models``. A class of your own derives from ``Model`` and writes ``generate``."""

from smolcell.compat import (
    AzureOpenAIModel,
    AzureOpenAIServerModel,
    ChatMessage,
    HfApiModel,
    InferenceClientModel,
    LiteLLMModel,
    LiteLLMRouterModel,
    MessageRole,
    Model,
    OpenAIModel,
    OpenAIServerModel,
    TransformersModel,
)
from smolcell.models.generate import ChatMessageToolCall, ChatMessageToolCallFunction

__all__ = [
    "ApiModel",
    "AzureOpenAIModel",
    "AzureOpenAIServerModel",
    "ChatMessage",
    "ChatMessageToolCall",
    "ChatMessageToolCallFunction",
    "HfApiModel",
    "InferenceClientModel",
    "LiteLLMModel",
    "LiteLLMRouterModel",
    "MessageRole",
    "Model",
    "OpenAIModel",
    "OpenAIServerModel",
    "TransformersModel",
]

ApiModel = Model
