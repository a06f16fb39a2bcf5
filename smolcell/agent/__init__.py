"""The two agents: one whose model writes Python, and one whose model calls tools; a gate between each and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from smolcell.agent.multistep import MultiStepAgent as MultiStepAgent
from smolcell.agent.no_sandbox import HostExecutor
from smolcell.agent.tool_calls import FINAL_SCHEMA, FINAL_WORDS, CallReader
from smolcell.core.loop import LoopSettings
from smolcell.core.tool_calls import FINAL
from smolcell.models.capabilities import traits
from smolcell.protocols import Executor
from smolcell.tools.builtin import PythonInterpreterTool


class CodeAgent(MultiStepAgent):
    """An agent whose actions are Python programs. Nothing it writes runs before the gate allowed exactly that text.

    Args:
        tools: functions or ``Tool`` objects of the host that the code may call.
        model: what writes the programs.
        executor_type: which sandbox: ``"local"``, ``"docker"``, …; ``sandbox`` is another word for it.
        executor_kwargs: passed to the sandbox, for example ``{"timeout": 30.0, "memory": 1024}`` (seconds, MB).
        additional_authorized_imports: modules the code may import besides the standard list; ``"pkg.*"`` for a whole package.
        max_steps: replies that may propose something; then the model is asked once for its best answer.
        max_print_outputs_length: characters of output kept per step.
        instructions: your own, added to the system prompt.
        prompt_templates: replaces texts of the prompt, ``{"system_prompt": …}``; ``smolcell.core.prompt`` names them all.
        final_answer_checks: each is called as ``check(answer, memory, agent=agent)``, or with as many of these as it takes; what is
            false, or an exception, sends the answer back to the model.
        step_callbacks: told each finished step, as ``callback(step, agent=agent)``; or by the class of the steps that they are told,
            ``{PlanningStep: my_function}``. They cannot change the run but by ``agent.interrupt()``.
        name, description: what the agent is called and does.
        verbose: show the run on the terminal where ``gate`` is given and no front end is registered.
        sandbox: a name, or an ``Executor`` of your own, which then belongs to this agent.
        gate: decides about proposals. Without one: the registered front end's, else a person at the terminal, else closed.
        view: shows events. Without one: the registered front end's, else the terminal's.
        session: names the journal.
        use_structured_outputs_internally: hold each reply to a JSON object with a thought and a program, where the model takes a
            schema; else it is asked for text, and the card says so.
        add_base_tools: add ``web_search`` and ``visit_webpage``, unless ``tools`` has one of that name.
        budget: what a run may spend before somebody is asked whether it goes on. That of a managed agent holds for each of its runs, within
            its manager's.
        planning_interval: programs after which the model is asked for a plan, which the gate may have edited; the first comes at once.
        managed_agents: agents with a name and a description, which the code calls as ``name(task, additional_args=None)``. They work
            by this agent's gate and budget, each in a sandbox of its own, of this one's kind where none was chosen.

        verbosity_level: 1 and more show what ``verbose`` shows, 0 shows nothing on the terminal where nobody is asked there.
        stream_outputs: taken, and changes nothing: what a model writes is shown as it comes.
        return_full_result: what ``run`` returns where it is not told.
        provide_run_summary: tell a manager also how the answer was found.
        python: the sandbox's level: "full" for ordinary Python behind tested walls, "guarded" (the default) for checked imports.

    Raises:
        SetupError: a part is unknown or contradicts another.
    """


class ToolCallingAgent(MultiStepAgent):
    """An agent whose actions are calls of tools: by the model's own protocol where it has one, else as JSON in its text.

    Each call is proposed by itself, as Python that a person can read and edit, and those of one reply run side by side. With the tool
    ``PythonInterpreterTool`` the model may run programs, too, which are reviewed as a ``CodeAgent``'s are; without it there is no
    sandbox, since no code runs. Arguments that are the name of one of ``additional_args`` stand for that value.

    Args: as ``CodeAgent`` has them; those about code and sandboxes are for that tool.
    """

    calling = True

    @property
    def executor(self) -> Executor:
        """The sandbox of the Python interpreter, where there is that tool; made on first use."""
        interpreter = next((tool for tool in self.tools.values() if isinstance(tool, PythonInterpreterTool)), None)
        if isinstance(self._executor, HostExecutor) and interpreter is not None:
            self._executor = None
        if self._executor is None and interpreter is not None:
            self.imports = tuple(dict.fromkeys([*self.imports, *interpreter.authorized_imports]))
            self._executor_kwargs.setdefault("timeout", interpreter.timeout_seconds)
            self._sandbox = self._sandbox if self._own_sandbox else interpreter.sandbox
        elif self._executor is None and isinstance(self._sandbox, str):
            self._executor = HostExecutor()
        return super().executor

    def _loop_settings(self, variables: Mapping[str, Any], note: str = "") -> LoopSettings:
        settings = super()._loop_settings(variables, note)
        callables = self.callables
        final = {} if FINAL in callables else {FINAL: (FINAL_SCHEMA, FINAL_WORDS)}
        schemas = [tool.json_schema for tool in callables.values()] + [schema for schema, _ in final.values()]
        words = [tool.to_tool_calling_prompt() for tool in callables.values()] + [said for _, said in final.values()]
        prompt = replace(settings.prompt, calling=True, native=traits(self.model).takes_tools, tools=tuple(words))
        return replace(settings, prompt=prompt, tools=tuple(schemas), read_call=CallReader(callables, variables))
