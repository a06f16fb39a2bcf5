"""gRPC of the stand-in: the control plane, and the command router that speaks to programs in a sandbox."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from typing import Any

from grpclib import GRPCError, Status
from grpclib.events import RecvRequest, listen
from grpclib.server import Server
from modal_proto import api_pb2 as api
from modal_proto import task_command_router_pb2 as router
from modal_proto.api_grpc import ModalClientBase
from modal_proto.task_command_router_grpc import TaskCommandRouterBase

from modal_service import KEY, SECRET
from modal_service.cloud import Cloud, Running, Sandbox

IMAGES = ("debian", "python")
BUILDER = "2024.10"


def _jwt() -> str:
    words = ({"alg": "none"}, {"exp": time.time() + 3600}, {})
    return ".".join(base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in words)


TOKEN = _jwt()


def judge(server: Server, cloud: Cloud) -> None:
    """Let no call through that has a wrong token, or that tests want refused."""

    async def look(event: RecvRequest) -> None:
        method = event.method_name.rpartition("/")[2]
        cloud.asked.append(method)
        if cloud.is_down():
            raise GRPCError(Status.UNAVAILABLE, "the stand-in is cut off")
        said = event.metadata
        if "TaskCommandRouter" in event.method_name:
            known = said.get("authorization") == f"Bearer {TOKEN}"
        else:
            known = (said.get("x-modal-token-id"), said.get("x-modal-token-secret")) == (KEY, SECRET)
        if not known:
            raise GRPCError(Status.UNAUTHENTICATED, "Token validation failed")
        if refusal := cloud.refusal(method.__eq__):
            raise GRPCError(Status[refusal["status"]], refusal["message"])

    listen(server, RecvRequest, look)


class _Service:
    """What a service does not have here is said to be unknown; ``base`` names the methods."""

    base: Any = None

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud

    def __getattr__(self, name: str) -> Any:
        async def unknown(stream: Any) -> None:
            raise GRPCError(Status.UNIMPLEMENTED, f"the stand-in has no {name}")

        return unknown

    def __mapping__(self) -> Any:
        return self.base.__mapping__(self)


class Control(_Service):
    """The control plane, as far as sandboxes need it."""

    base = ModalClientBase

    async def AuthTokenGet(self, stream: Any) -> None:
        await stream.recv_message()
        await stream.send_message(api.AuthTokenGetResponse(token=TOKEN))

    async def EnvironmentGetOrCreate(self, stream: Any) -> None:
        await stream.recv_message()
        settings = api.EnvironmentSettings(image_builder_version=BUILDER)
        said = api.EnvironmentMetadata(name="main", settings=settings)
        await stream.send_message(api.EnvironmentGetOrCreateResponse(environment_id="en-1", metadata=said))

    async def AppGetOrCreate(self, stream: Any) -> None:
        asked = await stream.recv_message()
        self.cloud.has_app |= asked.object_creation_type == api.OBJECT_CREATION_TYPE_CREATE_IF_MISSING
        if not self.cloud.has_app:
            raise GRPCError(Status.NOT_FOUND, f"App {asked.app_name!r} was not found")
        await stream.send_message(api.AppGetOrCreateResponse(app_id="ap-1"))

    async def ImageGetOrCreate(self, stream: Any) -> None:
        asked = await stream.recv_message()
        image = asked.image.dockerfile_commands[0].removeprefix("FROM ")
        name = f"im-{len(self.cloud.images)}"
        result = api.GenericResult(status=api.GenericResult.GENERIC_STATUS_SUCCESS)
        if not image.startswith(IMAGES):
            result = api.GenericResult(status=api.GenericResult.GENERIC_STATUS_FAILURE, exception=f"no image {image}")
        self.cloud.images[name] = image
        await stream.send_message(api.ImageGetOrCreateResponse(image_id=name, result=result))

    async def SandboxCreateV2(self, stream: Any) -> None:
        asked = await stream.recv_message()
        made = await asyncio.to_thread(self.cloud.make, asked)
        await stream.send_message(api.SandboxCreateV2Response(sandbox_id=made.name, task_id=made.task))

    async def SandboxGetCommandRouterAccess(self, stream: Any) -> None:
        self._find((await stream.recv_message()).sandbox_id)
        await stream.send_message(api.SandboxGetCommandRouterAccessResponse(jwt=TOKEN, url=self.cloud.address))

    async def SandboxGetTaskIdV2(self, stream: Any) -> None:
        found = self._find((await stream.recv_message()).sandbox_id)
        await stream.send_message(api.SandboxGetTaskIdResponse(task_id=found.task))

    async def SandboxListV2(self, stream: Any) -> None:
        asked = await stream.recv_message()
        wanted = {each.tag_name: each.tag_value for each in asked.tags}.items()
        found = [each for each in list(self.cloud.sandboxes.values()) if wanted <= each.tags.items()]
        before, ahead = asked.before_timestamp, self.cloud.ahead
        older = [each for each in found if not before or each.made + ahead < before]
        page = sorted(older, key=lambda each: -each.made)[:2]
        said = [api.SandboxInfo(id=each.name, created_at=each.made + ahead, tags=each.asked.tags) for each in page]
        await stream.send_message(api.SandboxListResponse(sandboxes=said))

    async def SandboxTagsGetV2(self, stream: Any) -> None:
        found = self._find((await stream.recv_message()).sandbox_id)
        await stream.send_message(api.SandboxTagsGetResponse(tags=found.asked.tags))

    async def SandboxWaitV2(self, stream: Any) -> None:
        asked = await stream.recv_message()
        result = api.GenericResult()
        if asked.sandbox_id in self.cloud.ended:
            result.status = api.GenericResult.GENERIC_STATUS_TERMINATED
        else:
            self._find(asked.sandbox_id)
        await stream.send_message(api.SandboxWaitResponse(result=result))

    async def SandboxTerminateV2(self, stream: Any) -> None:
        asked = await stream.recv_message()
        await asyncio.to_thread(self.cloud.end, asked.sandbox_id)
        await stream.send_message(api.SandboxTerminateResponse())

    # Sandboxes with graphics cards are made by the first version of these requests.

    async def SandboxCreate(self, stream: Any) -> None:
        asked = await stream.recv_message()
        made = await asyncio.to_thread(self.cloud.make, asked)
        await stream.send_message(api.SandboxCreateResponse(sandbox_id=made.name))

    async def TaskGetCommandRouterAccess(self, stream: Any) -> None:
        await stream.recv_message()
        await stream.send_message(api.TaskGetCommandRouterAccessResponse(jwt=TOKEN, url=self.cloud.address))

    async def SandboxStdinWrite(self, stream: Any) -> None:
        asked = await stream.recv_message()
        own = self._find(asked.sandbox_id).own
        await asyncio.to_thread(own.write, own.written, asked.input, asked.eof)
        await stream.send_message(api.SandboxStdinWriteResponse())

    SandboxGetTaskId, SandboxWait, SandboxTerminate = SandboxGetTaskIdV2, SandboxWaitV2, SandboxTerminateV2

    def _find(self, name: str) -> Sandbox:
        found = self.cloud.sandboxes.get(name)
        if found is None:
            raise GRPCError(Status.NOT_FOUND, f"Sandbox with ID {name} not found")
        return found


class Router(_Service):
    """The command router: a sandbox's own program, and those that are started besides."""

    base = TaskCommandRouterBase

    async def TaskExecStart(self, stream: Any) -> None:
        asked = await stream.recv_message()
        sandbox = self._sandbox(asked.task_id)
        if asked.exec_id not in sandbox.programs:
            made = await asyncio.to_thread(Running, list(asked.command_args), sandbox.folder)
            sandbox.programs[asked.exec_id] = made
        await stream.send_message(router.TaskExecStartResponse())

    async def TaskExecStdinWrite(self, stream: Any) -> None:
        asked = await stream.recv_message()
        await self._write(self._program(asked), asked)
        await stream.send_message(router.TaskExecStdinWriteResponse())

    async def SandboxStdinWriteV2(self, stream: Any) -> None:
        asked = await stream.recv_message()
        await self._write(self._sandbox(asked.task_id).own, asked)
        await stream.send_message(router.SandboxStdinWriteV2Response())

    async def TaskExecStdioRead(self, stream: Any) -> None:
        asked = await stream.recv_message()
        running, at = self._program(asked), asked.offset
        is_out = asked.file_descriptor == router.TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDOUT
        while True:
            data, over = await asyncio.to_thread(running.after, "stdout" if is_out else "stderr", at)
            self._sandbox(asked.task_id)
            if self.cloud.is_down():
                raise GRPCError(Status.UNAVAILABLE, "the stand-in is cut off")
            if data:
                at += len(data)
                await stream.send_message(router.TaskExecStdioReadResponse(data=data))
            elif over:
                return

    async def TaskExecPoll(self, stream: Any) -> None:
        running = self._program(await stream.recv_message())
        await stream.send_message(router.TaskExecPollResponse(**_ended(running)))

    async def TaskExecWait(self, stream: Any) -> None:
        asked = await stream.recv_message()
        while not await asyncio.to_thread(self._program(asked).wait):
            pass
        await stream.send_message(router.TaskExecWaitResponse(**_ended(self._program(asked))))

    def _sandbox(self, task: str) -> Sandbox:
        found = self.cloud.of_task(task)
        if found is None:
            raise GRPCError(Status.NOT_FOUND, f"task {task} was not found")
        return found

    def _program(self, asked: Any) -> Running:
        found = self._sandbox(asked.task_id).programs.get(asked.exec_id)
        if found is None:
            raise GRPCError(Status.NOT_FOUND, f"exec {asked.exec_id} was not found")
        return found

    async def _write(self, running: Running, asked: Any) -> None:
        try:
            await asyncio.to_thread(running.write, asked.offset, asked.data, asked.eof)
        except OSError:
            raise GRPCError(Status.FAILED_PRECONDITION, "the program has no open stdin") from None


def _ended(running: Running) -> dict[str, int]:
    status = running.program.status if running.over else None
    if status is None:
        return {}
    return {"code": status} if status >= 0 else {"signal": -status}
