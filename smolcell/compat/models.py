"""smolagents' module ``models``. Derive a class from ``Model`` and define ``generate``."""

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
