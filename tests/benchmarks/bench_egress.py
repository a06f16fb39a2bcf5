"""Connections to an allowed host: ``python tests/benchmarks/bench_egress.py`` prints throughput, added latency, 100 at once, and how
long frames of a step wait meanwhile.

The origin is a server of a process of its own on this machine. Budgets (issue Q): 50 MB/s, 1 ms, 100 connections, 5 ms.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from smolcell import LocalPythonExecutor, tool

SERVER = r"""
import asyncio, sys
PIECE = bytes(1 << 16)
async def serve(reader, writer):
    try:
        while line := await reader.readline():
            size = int(line.split()[1].rsplit(b"/", 1)[1])
            while (await reader.readline()).strip():
                pass
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
            while size > 0:
                writer.write(PIECE[:size])
                size -= len(PIECE)
                await writer.drain()
    except (OSError, IndexError, ValueError):
        pass
    finally:
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""

CLIENT = r"""
import socket, time
def get(sock, size, host, proxied=True):
    target = f"http://{host}/{size}" if proxied else f"/{size}"
    sock.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    buffer, got = bytearray(1 << 18), 0
    head = b""
    while b"\r\n\r\n" not in head:
        head += sock.recv(65536)
    got = len(head) - head.index(b"\r\n\r\n") - 4
    while got < size:
        got += sock.recv_into(buffer)
    return got
def open_proxy():
    sock = socket.create_connection(("127.0.0.1", 3128))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock
"""

MANY = r"""
import threading
socks = [open_proxy() for _ in range(100)]
begin = time.perf_counter()
done = []
threads = [threading.Thread(target=lambda sock=sock: done.append(get(sock, 1_000_000, HOST))) for sock in socks]
for thread in threads: thread.start()
for thread in threads: thread.join()
(len(done), time.perf_counter() - begin)
"""

LOAD = r"""
import subprocess, sys
more = f"sock = open_proxy()\nwhile True:\n    get(sock, 300_000_000, {HOST!r})"
load = subprocess.Popen([sys.executable, "-c", CLIENT + more])
time.sleep(0.3)
"""

WAITS = r"""
waits = []
for _ in range(100):
    begin = time.perf_counter(); echo(1); waits.append(time.perf_counter() - begin)
waits
"""
ROUNDS = 8  # the machine may be busy: what is compared is measured in turns


@tool
def echo(value: int) -> int:
    """Give back the value.

    Args:
        value: any.
    """
    return value


def milliseconds(values: list[float], part: float) -> float:
    return 1000 * sorted(values)[int(part * (len(values) - 1))]


def said(values: list[float]) -> str:
    lowest, middle, high = (milliseconds(values, part) for part in (0.1, 0.5, 0.99))
    return f"median {middle:.2f} ms, 10 %: {lowest:.2f} ms, 99 %: {high:.2f} ms"


def times(sock: str, host: str, proxied: bool) -> str:
    return f"""
sock, taken = {sock}, []
for _ in range(500):
    begin = time.perf_counter(); get(sock, 100, "{host}", {proxied}); taken.append(time.perf_counter() - begin)
sock.close()
"""


def latency(executor: Any, port: int) -> tuple[list[float], list[float]]:
    """Seconds of requests over an open connection: through the proxy, and directly from this process."""
    proxied: list[float] = []
    direct: list[float] = []
    scope: dict[str, Any] = {}
    exec(CLIENT, scope)
    for _ in range(ROUNDS):
        proxied += executor(f"{CLIENT}{times('open_proxy()', f'localhost:{port}', True)}\ntaken").output
        exec(times(f'socket.create_connection(("127.0.0.1", {port}))', f"127.0.0.1:{port}", False), scope)
        direct += scope["taken"]
    return proxied, direct


def calls(executor: Any) -> tuple[list[float], list[float]]:
    """Seconds of calls of a tool: with nothing else, and while a process of the code downloads without end."""
    idle: list[float] = []
    loaded: list[float] = []
    for _ in range(ROUNDS):
        idle += executor(WAITS).output
        loaded += executor(f"{LOAD}{WAITS}load.kill(); load.wait()\nwaits").output
    return idle, loaded


def main() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline())
    host = f"localhost:{port}"
    try:
        with LocalPythonExecutor(python="full", allow_hosts=[host], timeout=300) as executor:
            executor.send_tools({"echo": echo})
            executor(f"{CLIENT}\nHOST, CLIENT = {host!r}, {CLIENT!r}")
            for size in (10_000_000, 300_000_000, 300_000_000):
                begin = "sock = open_proxy(); begin = time.perf_counter()"
                seconds = executor(
                    f"{CLIENT}\n{begin}\nget(sock, {size}, '{host}')\ntime.perf_counter() - begin"
                ).output
                print(f"download of {size / 1e6:.0f} MB: {size / 1e6 / seconds:.0f} MB/s")
            proxied, direct = latency(executor, port)
            print(f"request of 100 bytes: {said(proxied)}")
            print(f"directly: {said(direct)}; added: {milliseconds(proxied, 0.5) - milliseconds(direct, 0.5):.2f} ms")
            done, seconds = executor(MANY).output
            print(f"100 connections at once, 1 MB each: {done} in {seconds:.2f} s")
            idle, loaded = calls(executor)
            print(f"call of a tool: {said(idle)}")
            print(f"while data is received at full rate: {said(loaded)}")
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
