"""smolagents' module ``models``. Derive a class from ``Model`` and define ``generate``."""

from smolcell.compat import (
    REMOVE_PARAMETER,
    AmazonBedrockModel,
    AzureOpenAIModel,
    AzureOpenAIServerModel,
    ChatMessage,
    HfApiModel,
    InferenceClientModel,
    LiteLLMModel,
    LiteLLMRouterModel,
    MessageRole,
    MLXModel,
    Model,
    OpenAIModel,
    OpenAIServerModel,
    TransformersModel,
    VLLMModel,
)
from smolcell.models.generate import ChatMessageToolCall, ChatMessageToolCallFunction

__all__ = [
    "REMOVE_PARAMETER",
    "AmazonBedrockModel",
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
    "MLXModel",
    "MessageRole",
    "Model",
    "OpenAIModel",
    "OpenAIServerModel",
    "TransformersModel",
    "VLLMModel",
]

ApiModel = Model
