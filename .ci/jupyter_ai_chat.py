"""smolcell as a persona of Jupyter AI 3, in a real JupyterLab and a real browser: python .ci/jupyter_ai_chat.py [PICTURES]

Needs jupyter-ai, smolcell and playwright in this Python, and Chromium (SMOLCELL_CHROMIUM). Exits non-zero if a check failed.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

PATIENCE = 120.0  # seconds
PROGRAMS = ("open('a.csv', 'w').write('x,y')\nprint('step one')", "final_answer(6 * 7)")


def recording(folder: Path) -> Path:
    lines: list[dict[str, object]] = [{"format": "smolcell-recording", "version": 1, "model": "by hand"}]
    lines += [{"task": "Six times seven", "text": f"I multiply.\n<code>\n{program}\n</code>"} for program in PROGRAMS]
    path = folder / "recording.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def start(root: Path) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(8)
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.open_browser": False,
        "ServerApp.root_dir": root,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": token,
        "LabApp.expose_app_in_browser": True,
        "LabApp.user_settings_dir": root.parent / "user",
        "LabApp.workspaces_dir": root.parent / "workspaces",
        "PersonaManager.default_persona_id": "jupyter-ai-personas::smolcell::SmolcellPersona",
    }
    environment = {
        **os.environ,
        "SMOLCELL_MODEL": f"replay:{recording(root.parent)}",
        "SMOLCELL_STATE_DIR": str(root.parent / "state"),
    }
    command = [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]
    with (root.parent / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(f"{url}/api?token={token}", timeout=5).close()
            return process, f"{url}/lab/tree/talk.chat?reset&token={token}"
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                print((root.parent / "server.log").read_text(errors="replace")[-3000:])
                raise
            time.sleep(0.2)


def talk(page: Page, pictures: Path | None) -> None:
    def picture(name: str) -> None:
        if pictures is not None:
            page.screenshot(path=pictures / f"{name}.png")

    box = page.locator(".jp-chat-input-textfield textarea:visible, .jp-chat-input-container textarea:visible").first
    box.wait_for(timeout=PATIENCE * 1000)
    picture("opened")
    box.fill("@smolcell Six times seven")
    box.press("Enter")
    approve = page.get_by_role("button", name="Approve", exact=True)
    expect(approve).to_be_visible(timeout=PATIENCE * 1000)
    code = page.locator(".jp-chat-message pre").first  # the whole code stands above the buttons
    assert code.inner_text().strip() == PROGRAMS[0], code.inner_text()
    expect(page.get_by_text("writes a file: a.csv")).to_be_visible()
    picture("asked")
    approve.click()
    expect(page.get_by_text("final_answer(6 * 7)").first).to_be_visible(timeout=PATIENCE * 1000)
    expect(approve).to_have_count(1, timeout=PATIENCE * 1000)  # the first was answered, the second waits
    picture("second")
    approve.click()
    expect(page.get_by_text(re.compile(r"^\s*42\s*$")).first).to_be_visible(timeout=PATIENCE * 1000)
    picture("answered")
    page.reload()
    expect(page.get_by_text(re.compile(r"^\s*42\s*$")).first).to_be_visible(timeout=PATIENCE * 1000)
    print("asked with the whole code, approved twice, answered 42; still there after the page was loaded again")


def main() -> int:
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    print(f"jupyter-ai {version('jupyter-ai')}, agent-client-protocol {version('agent-client-protocol')}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder) / "root"
        root.mkdir()
        (root / "talk.chat").write_text("{}")
        server, address = start(root)
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("SMOLCELL_CHROMIUM") or None, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            page = browser.new_page(viewport={"width": 1300, "height": 1000})
            page.goto(address)
            talk(page, pictures)
        except BaseException:
            print((root.parent / "server.log").read_text(errors="replace")[-6000:])
            raise
        finally:
            browser.close()
            server.terminate()
            server.wait(30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
