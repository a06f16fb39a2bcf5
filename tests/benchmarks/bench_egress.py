"""Connections to an allowed host: ``python tests/benchmarks/bench_egress.py`` prints throughput, added latency, 100 at once, and how
long frames of a step wait meanwhile.

The origin is a server of a process of its own on this machine. Budgets (issue Q): 50 MB/s, 1 ms, 100 connections, 5 ms.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
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

WAITS = r"""
import threading
sock = open_proxy()
load = threading.Thread(target=lambda: get(sock, 300_000_000, HOST))
waits = []
if LOADED: load.start(); time.sleep(0.2)
for _ in range(300):
    begin = time.perf_counter(); echo(1); waits.append(time.perf_counter() - begin)
alive = load.is_alive()
if LOADED: load.join()
(sorted(waits), alive)
"""


@tool
def echo(value: int) -> int:
    """Give back the value.

    Args:
        value: any.
    """
    return value


def milliseconds(values: list[float], part: float) -> float:
    return 1000 * values[int(part * (len(values) - 1))]


def latency(executor: Any, host: str) -> float:
    """The median of a request over a connection to the proxy that is open, in ms."""
    code = f"""
sock, taken = open_proxy(), []
for _ in range(300):
    begin = time.perf_counter(); get(sock, 100, "{host}"); taken.append(time.perf_counter() - begin)
sorted(taken)"""
    return 1000 * statistics.median(executor(CLIENT + code).output)


def direct(port: int) -> float:
    """The same from this process, with a new connection for each request, as the proxy makes them."""
    scope: dict[str, Any] = {}
    exec(CLIENT, scope)
    taken = []
    for _ in range(300):
        begin = time.perf_counter()
        with scope["socket"].create_connection(("127.0.0.1", port)) as sock:
            scope["get"](sock, 100, f"127.0.0.1:{port}", proxied=False)
        taken.append(time.perf_counter() - begin)
    return 1000 * statistics.median(taken)


def main() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline())
    host = f"localhost:{port}"
    try:
        with LocalPythonExecutor(python="full", allow_hosts=[host], timeout=300) as executor:
            executor.send_tools({"echo": echo})
            executor(CLIENT + f"HOST = '{host}'")
            for size in (10_000_000, 300_000_000, 300_000_000):
                begin = "sock = open_proxy(); begin = time.perf_counter()"
                seconds = executor(
                    f"{CLIENT}\n{begin}\nget(sock, {size}, '{host}')\ntime.perf_counter() - begin"
                ).output
                print(f"download of {size / 1e6:.0f} MB: {size / 1e6 / seconds:.0f} MB/s")
            proxied, alone = latency(executor, host), direct(port)
            print(f"request of 100 bytes: {proxied:.2f} ms, directly {alone:.2f} ms, added {proxied - alone:.2f} ms")
            done, seconds = executor(MANY).output
            print(f"100 connections at once, 1 MB each: {done} in {seconds:.2f} s")
            for loaded in (False, True):
                waits, _ = executor(f"LOADED = {loaded}\n{WAITS}").output
                said = "while 300 MB are received" if loaded else "idle"
                print(
                    f"call of a tool, {said}: median {milliseconds(waits, 0.5):.2f} ms, 99 %: {milliseconds(waits, 0.99):.2f} ms"
                )
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
