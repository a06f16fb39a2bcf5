"""smolagents' module ``models``. A class of your own derives from ``Model`` and writes ``generate``."""

from smolcell.models.fallback import LiteLLMRouterModel
from smolcell.models.generate import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole
from smolcell.models.generate import Generates as Model
from smolcell.models.huggingface import HfApiModel, InferenceClientModel
from smolcell.models.litellm import AzureOpenAIModel, LiteLLMModel
from smolcell.models.openai import OpenAIModel
from smolcell.models.transformers import TransformersModel

ApiModel = Model
AzureOpenAIServerModel = AzureOpenAIModel
OpenAIServerModel = OpenAIModel

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
