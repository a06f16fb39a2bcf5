"""gRPC of the stand-in: the control plane, and the command router that speaks to programs in a sandbox."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpclib.server
from grpclib import GRPCError, Status
from grpclib.events import RecvRequest, listen
from modal_proto import api_pb2 as api
from modal_proto import task_command_router_pb2 as router
from modal_proto.api_grpc import ModalClientBase
from modal_proto.task_command_router_grpc import TaskCommandRouterBase
from stand_in import obey

from modal_service import KEY, SECRET
from modal_service.cloud import AWHILE, Cloud, Running, Sandbox
from smolcell.worker.system import processes

IMAGES = ("debian", "python")
BUILDER = "2024.10"


def _jwt() -> str:
    words = ({"alg": "none"}, {"exp": time.time() + 3600}, {})
    return ".".join(base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in words)


TOKEN = _jwt()


def judge(server: grpclib.server.Server, cloud: Cloud) -> None:
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
            raise GRPCError(Status.UNAUTHENTICATED, f"Token validation failed: {said.get('x-modal-token-secret')}")
        if refusal := cloud.refusal(method.__eq__):
            raise GRPCError(Status[refusal["status"]], refusal["message"])

    listen(server, RecvRequest, look)


def reply(method: Any) -> Any:
    """A method of a service that gets one message and gives one."""

    async def answer(self: Any, stream: Any) -> None:
        await stream.send_message(await method(self, await stream.recv_message()))

    return answer


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

    @reply
    async def AuthTokenGet(self, asked: Any) -> Any:
        return api.AuthTokenGetResponse(token=TOKEN)

    @reply
    async def EnvironmentGetOrCreate(self, asked: Any) -> Any:
        settings = api.EnvironmentSettings(image_builder_version=BUILDER)
        said = api.EnvironmentMetadata(name="main", settings=settings)
        return api.EnvironmentGetOrCreateResponse(environment_id="en-1", metadata=said)

    @reply
    async def AppGetOrCreate(self, asked: Any) -> Any:
        self.cloud.has_app |= asked.object_creation_type == api.OBJECT_CREATION_TYPE_CREATE_IF_MISSING
        if not self.cloud.has_app:
            raise GRPCError(Status.NOT_FOUND, f"App {asked.app_name!r} was not found")
        return api.AppGetOrCreateResponse(app_id="ap-1")

    @reply
    async def ImageGetOrCreate(self, asked: Any) -> Any:
        image = asked.image.dockerfile_commands[0].removeprefix("FROM ")
        name = f"im-{len(self.cloud.images)}"
        result = api.GenericResult(status=api.GenericResult.GENERIC_STATUS_SUCCESS)
        if not image.startswith(IMAGES):
            result = api.GenericResult(status=api.GenericResult.GENERIC_STATUS_FAILURE, exception=f"no image {image}")
        self.cloud.images[name] = image
        return api.ImageGetOrCreateResponse(image_id=name, result=result)

    @reply
    async def SandboxCreateV2(self, asked: Any) -> Any:
        made = await asyncio.to_thread(self.cloud.make, asked)
        return api.SandboxCreateV2Response(sandbox_id=made.name, task_id=made.task)

    @reply
    async def SandboxGetCommandRouterAccess(self, asked: Any) -> Any:
        self._find(asked.sandbox_id)
        return api.SandboxGetCommandRouterAccessResponse(jwt=TOKEN, url=self.cloud.address)

    @reply
    async def SandboxGetTaskIdV2(self, asked: Any) -> Any:
        found = self._find(asked.sandbox_id)
        return api.SandboxGetTaskIdResponse(task_id=found.task)

    @reply
    async def SandboxListV2(self, asked: Any) -> Any:
        wanted = {each.tag_name: each.tag_value for each in asked.tags}.items()
        found = [each for each in list(self.cloud.sandboxes.values()) if wanted <= each.tags.items()]
        before, ahead = asked.before_timestamp, self.cloud.ahead
        older = [each for each in found if not before or each.made + ahead < before]
        page = sorted(older, key=lambda each: -each.made)[:2]
        said = [api.SandboxInfo(id=each.name, created_at=each.made + ahead, tags=each.asked.tags) for each in page]
        return api.SandboxListResponse(sandboxes=said)

    @reply
    async def SandboxTagsGetV2(self, asked: Any) -> Any:
        found = self._find(asked.sandbox_id)
        return api.SandboxTagsGetResponse(tags=found.asked.tags)

    @reply
    async def SandboxWaitV2(self, asked: Any) -> Any:
        result = api.GenericResult()
        if asked.sandbox_id in self.cloud.ended:
            result.status = api.GenericResult.GENERIC_STATUS_TERMINATED
        else:
            self._find(asked.sandbox_id)
        return api.SandboxWaitResponse(result=result)

    @reply
    async def SandboxTerminateV2(self, asked: Any) -> Any:
        await asyncio.to_thread(self.cloud.end, asked.sandbox_id)
        return api.SandboxTerminateResponse()

    # Sandboxes with graphics cards are made by the first version of these requests.

    @reply
    async def SandboxCreate(self, asked: Any) -> Any:
        made = await asyncio.to_thread(self.cloud.make, asked)
        return api.SandboxCreateResponse(sandbox_id=made.name)

    @reply
    async def TaskGetCommandRouterAccess(self, asked: Any) -> Any:
        return api.TaskGetCommandRouterAccessResponse(jwt=TOKEN, url=self.cloud.address)

    @reply
    async def SandboxStdinWrite(self, asked: Any) -> Any:
        own = self._find(asked.sandbox_id).own
        await asyncio.to_thread(own.write, own.written, asked.input, asked.eof)
        return api.SandboxStdinWriteResponse()

    SandboxGetTaskId, SandboxWait, SandboxTerminate = SandboxGetTaskIdV2, SandboxWaitV2, SandboxTerminateV2

    def _find(self, name: str) -> Sandbox:
        found: Sandbox | None = self.cloud.sandboxes.get(name)
        if found is None:
            raise GRPCError(Status.NOT_FOUND, f"Sandbox with ID {name} not found")
        return found


class Router(_Service):
    """The command router: a sandbox's own program, and those that are started besides."""

    base = TaskCommandRouterBase

    @reply
    async def TaskExecStart(self, asked: Any) -> Any:
        sandbox = self._sandbox(asked.task_id)
        if asked.exec_id not in sandbox.programs:
            made = await asyncio.to_thread(Running, list(asked.command_args), sandbox.folder)
            sandbox.programs[asked.exec_id] = made
        return router.TaskExecStartResponse()

    @reply
    async def TaskExecStdinWrite(self, asked: Any) -> Any:
        await self._write(self._program(asked), asked)
        return router.TaskExecStdinWriteResponse()

    @reply
    async def SandboxStdinWriteV2(self, asked: Any) -> Any:
        await self._write(self._sandbox(asked.task_id).own, asked)
        return router.SandboxStdinWriteV2Response()

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

    @reply
    async def TaskExecPoll(self, asked: Any) -> Any:
        running = self._programasked
        return router.TaskExecPollResponse(**_ended(running))

    @reply
    async def TaskExecWait(self, asked: Any) -> Any:
        while not await asyncio.to_thread(self._program(asked).wait, AWHILE):
            pass
        return router.TaskExecWaitResponse(**_ended(self._program(asked)))

    def _sandbox(self, task: str) -> Sandbox:
        found = self.cloud.of_task(task)
        if found is None:
            raise GRPCError(Status.NOT_FOUND, f"task {task} was not found")
        return found

    def _program(self, asked: Any) -> Running:
        found: Running | None = self._sandbox(asked.task_id).programs.get(asked.exec_id)
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


class Server:
    """The stand-in; its own key is the token's."""

    def __init__(self, key: str) -> None:
        assert key == KEY

    def serve(self) -> None:
        """Serve, and do what tests want, until stdin ends."""
        processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(256))  # one for each that waits
        cloud = Cloud()
        server = grpclib.server.Server([Control(cloud), Router(cloud)])
        judge(server, cloud)
        await server.start("127.0.0.1", 0)
        (socket,) = server._server.sockets
        cloud.address = f"http://127.0.0.1:{socket.getsockname()[1]}"
        await asyncio.to_thread(obey, cloud)
        await asyncio.to_thread(cloud.end_all)
        os._exit(0)  # its threads wait for clients that are gone
