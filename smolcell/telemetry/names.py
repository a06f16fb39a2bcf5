"""Names of attributes, spans and metrics, and the version of the conventions they follow."""

from __future__ import annotations

from collections.abc import Mapping

CONVENTIONS = "https://github.com/open-telemetry/semantic-conventions-genai, 1.42.0-dev"
SCHEMA = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev"

INVOKE_AGENT, CHAT, EXECUTE_TOOL, PLAN = "invoke_agent", "chat", "execute_tool", "plan"
STEP, APPROVAL = "smolcell.step", "smolcell.approval"

OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
CONVERSATION = "gen_ai.conversation.id"
AGENT = "gen_ai.agent.name"
REQUEST_MODEL = "gen_ai.request.model"
RESPONSE_MODEL = "gen_ai.response.model"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
FINISH_REASONS = "gen_ai.response.finish_reasons"
TOOL = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
TOKEN_TYPE = "gen_ai.token.type"  # noqa: S105 - an attribute's name
ERROR_TYPE = "error.type"

# Content: only if OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT asks for it.
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"

TOKEN_USAGE = "gen_ai.client.token.usage"  # noqa: S105 - a metric's name
OPERATION_DURATION = "gen_ai.client.operation.duration"

OTHER = "other"
PROVIDERS: Mapping[str, str] = {
    "azure": "azure.ai.openai",
    "azure_ai": "azure.ai.inference",
    "bedrock": "aws.bedrock",
    "codestral": "mistral_ai",
    "cohere_chat": "cohere",
    "gemini": "gcp.gemini",
    "hf": "huggingface",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
    **{name: name for name in ("anthropic", "cohere", "deepseek", "groq", "openai", "perplexity")},
    **{name: name for name in ("huggingface", "llamacpp", "lmstudio", "ollama", "transformers", "vllm")},
}
"""Provider in a model's name (``provider/model``) → name in the conventions, or ours if they have none."""
