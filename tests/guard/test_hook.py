"""What the guard lets through meets the audit hook: files, network, processes, C, text that libraries compile."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from guarded import Unwalled

from smolcell.errors import ForbiddenError, InterpreterError
from smolcell.executors.local import LocalPythonExecutor

IMPORTS = """
    codecs configparser ctypes dbm fileinput functools gc glob gzip importlib.machinery io linecache logging
    logging.handlers numpy.* os pandas.* pathlib pickle platform pyarrow.* shelve shutil signal socket sqlite3 subprocess
    tarfile tempfile threading timeit tracemalloc urllib.request weakref yaml zipfile matplotlib.* PIL.* cProfile concurrent.*
    types asyncio code multiprocessing multiprocessing.pool jinja2 xml.* unittest.mock resource sys
""".split()


class Lab(NamedTuple):
    """A sandbox, and a folder that is none of its business."""

    executor: LocalPythonExecutor
    outside: Path

    def run(self, code: str) -> object:
        return self.executor(code.replace("@OUT", str(self.outside))).output

    def refused(self, code: str) -> str:
        with pytest.raises(InterpreterError) as caught:
            self.run(code)
        assert sorted(path.name for path in self.outside.iterdir()) == ["secret.csv", "secret.db"]
        assert re.search(
            "[Ff]orbidden|not allowed|not authorized|denied|[Oo]ptional dependency|outside", str(caught.value)
        )
        assert "CANARY" not in caught.value.logs + str(caught.value)
        return str(caught.value)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.csv").write_text("CANARY,1\n")
    with sqlite3.connect(outside / "secret.db") as made:
        made.execute("create table CANARY (a)")
    made.close()
    executor = Unwalled(IMPORTS, timeout=60)
    yield Lab(executor, outside)
    executor.close()


FILES = """
io.open('@OUT/secret.csv')
codecs.open('@OUT/secret.csv')
linecache.updatecache('@OUT/secret.csv') or pathlib.Path('@OUT/secret.csv').read_text()
pathlib.Path('@OUT/new').touch()
pathlib.Path('@OUT/new').write_text('x')
pathlib.Path('@OUT/new').mkdir()
pathlib.Path('@OUT/new').symlink_to('/')
list(pathlib.Path('@OUT').iterdir())
pathlib.Path('@OUT/secret.csv').rename('@OUT/new')
os.open('@OUT/secret.csv', os.O_RDONLY)
os.open('/usr/lib', os.O_RDONLY)
os.open('..', os.O_RDONLY)
os.mkdir('@OUT/new')
os.remove('@OUT/secret.csv')
os.rename('@OUT/secret.csv', 'mine')
os.link('@OUT/secret.csv', 'mine')
os.symlink('@OUT', 'mine')
os.chmod('@OUT/secret.csv', 0)
os.utime('@OUT/secret.csv')
os.truncate('@OUT/secret.csv', 0)
os.listdir('@OUT')
list(os.scandir('@OUT'))
os.chdir('@OUT')
shutil.copy('@OUT/secret.csv', 'mine')
shutil.copytree('@OUT', 'mine')
shutil.make_archive('@OUT/new', 'zip', '.')
shutil.rmtree('@OUT')
tempfile.mkdtemp(dir='@OUT')
tempfile.NamedTemporaryFile(dir='@OUT', delete=False)
gzip.open('@OUT/new', 'w')
zipfile.ZipFile('@OUT/new', 'w')
tarfile.open('@OUT/new', 'w')
logging.FileHandler('@OUT/new')
logging.handlers.RotatingFileHandler('@OUT/new')
list(fileinput.input(['@OUT/secret.csv']))
configparser.ConfigParser().read_file(io.open('@OUT/secret.csv'))
dbm.open('@OUT/new', 'n')
shelve.open('@OUT/new')
tracemalloc.Snapshot.load('@OUT/secret.csv')
sqlite3.connect('@OUT/secret.db')
sqlite3.connect('file:@OUT/secret.db?mode=ro', uri=True)
sqlite3.connect(':memory:').execute("attach '@OUT/secret.db' as x")
sqlite3.connect(':memory:').execute("vacuum into '@OUT/new'")
sqlite3.connect(':memory:').execute("pragma temp_store_directory = '@OUT'")
sqlite3.connect(':memory:').set_authorizer(None)
urllib.request.urlopen('file://@OUT/secret.csv')
threading.Timer(0, print).start() or pathlib.Path('@OUT/new').touch()
""".strip().splitlines()

NETWORK = """
socket.socket()
socket.socketpair()
socket.create_connection(('127.0.0.1', 9))
socket.getaddrinfo('localhost', 9)
socket.gethostname()
urllib.request.urlopen('http://127.0.0.1:9')
logging.handlers.SocketHandler('127.0.0.1', 9).makeSocket()
""".strip().splitlines()

PROCESSES = """
os.posix_spawn('/bin/true', ['true'], {})
subprocess.run(['true'])
subprocess.list2cmdline.__class__ and subprocess.Popen(['true'])
shutil.chown and __import__('os').system('true')
multiprocessing.get_context('spawn').Process(target=print).start()
resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))
""".strip().splitlines()

INSIDE = """
gc.get_objects()
gc.get_referrers(1)
ctypes.CDLL(None)
ctypes.string_at(1)
code.InteractiveInterpreter().runsource("open('@OUT/new', 'w')")
code.InteractiveInterpreter().runsource('().__class__') or 1 / 0
threading.settrace(print) or threading.Thread(target=print).start() or 1 / 0
importlib.machinery.SourceFileLoader('x', '@OUT/secret.csv').get_data('@OUT/secret.csv')
timeit.timeit("open('@OUT/new', 'w')", number=1)
timeit.timeit("().__class__", number=1)
timeit.timeit("getattr(1, 'real')", number=1)
timeit.timeit("'{0.real}'.format(1)", number=1)
timeit.timeit("import antigravity", number=1)
cProfile.run("open('@OUT/new', 'w')")
pickle.loads(b"cos\\nsystem\\n(S'true'\\ntR.")
pickle.loads(b"cbuiltins\\ngetattr\\n.")
pickle.loads(b"cbuiltins\\neval\\n.")
pickle.loads(b"cio\\nos.system\\n.")
unittest.mock.patch('builtins.len')
sys.addaudithook(print)
""".strip().splitlines()


@pytest.mark.parametrize("code", [*FILES, *NETWORK, *PROCESSES, *INSIDE])
def test_the_standard_library_reaches_nothing_outside(lab: Lab, code: str) -> None:
    modules = [name for name in IMPORTS if name.partition(".")[0] in code and not name.endswith(".*")]
    lab.refused("".join(f"import {name}\n" for name in modules) + code)


DATA = {
    "numpy": """
np.savetxt('@OUT/new', [1])
np.save('@OUT/new', np.eye(2))
np.arange(3).tofile('@OUT/new')
np.arange(3).dump('@OUT/new')
np.fromfile('@OUT/secret.csv', dtype='S1')
np.loadtxt('@OUT/secret.csv', dtype=str)
np.memmap('@OUT/new', dtype='u1', mode='w+', shape=(8,))
np.lib.format.open_memmap('@OUT/new', mode='w+', dtype='u1', shape=(3,))
np.genfromtxt('http://127.0.0.1:9/x')
np.testing.runstring("open('@OUT/new', 'w')", {})
np.testing.measure("().__class__")
""",
    "pandas": """
pd.read_csv('@OUT/secret.csv')
pd.read_csv('http://127.0.0.1:9/x')
pd.read_table('file://@OUT/secret.csv')
pd.read_pickle('@OUT/secret.csv')
pd.DataFrame({'a': [1]}).to_csv('@OUT/new.gz')
pd.DataFrame({'a': [1]}).to_pickle('@OUT/new')
pd.DataFrame({'a': [1]}).eval('b = @display.__globals__', engine='python')
pd.DataFrame({'a': [1]}).query('@display.__code__ == 1')
pd.eval("__import__('os')")
pd.io.common.get_handle('@OUT/secret.csv', 'r')
""",
    "pyarrow": """
pd.DataFrame({'a': [1], 'b': [2]}).to_parquet('@OUT/new', partition_cols=['a'])
pd.read_parquet('@OUT')
pa.OSFile('@OUT/secret.csv')
pa.lib.OSFile('@OUT/new', 'w')
pa.memory_map('@OUT/secret.csv')
pa.CompressedOutputStream('@OUT/new', 'gzip')
pa.ipc.new_file('@OUT/new', pa.schema([]))
pa.csv.read_csv(input_file='@OUT/secret.csv')
pa.csv.write_csv(pa.table({'a': [1]}), '@OUT/new')
pa.parquet.write_table(pa.table({'a': [1]}), '@OUT/new')
pa.parquet.ParquetFile(pathlib.Path('@OUT/secret.csv'))
pa.parquet.read_table('s3://bucket/key')
pa.feather.write_feather(pa.table({'a': [1]}), '@OUT/new')
pa.dataset.dataset(['@OUT/secret.csv'], format='csv')
pa.dataset.write_dataset(pa.table({'a': [1]}), '@OUT/new', format='parquet')
pa.fs.LocalFileSystem()
pa._fs.LocalFileSystem()
""",
    "matplotlib": """
plt.savefig('@OUT/new.png')
plt.imread('@OUT/secret.csv')
matplotlib.rc_file('@OUT/secret.csv')
""",
    "PIL": """
Image.new('L', (1, 1)).save('@OUT/new.png')
Image.new('L', (1, 1)).show()
ImageFont.truetype('@OUT/secret.csv')
""",
}
HEADS = {
    "numpy": "import numpy as np",
    "pandas": "import pandas as pd",
    "pyarrow": "import pathlib, pandas as pd, pyarrow as pa, pyarrow.csv, pyarrow.dataset, pyarrow.feather, pyarrow.parquet",
    "matplotlib": "import matplotlib, matplotlib.pyplot as plt",
    "PIL": "from PIL import Image, ImageFont",
}


@pytest.mark.parametrize(
    ("library", "code"), [(name, code) for name, all_ in DATA.items() for code in all_.split("\n") if code]
)
def test_data_libraries_reach_nothing_outside(lab: Lab, library: str, code: str) -> None:
    pytest.importorskip(library)
    lab.refused(f"{HEADS[library]}\n{code}")


@pytest.mark.parametrize(
    "code",
    [
        "class A:\n    def __del__(self): pathlib.Path('@OUT/new').touch()\na = A()\ndel a",
        "class A:\n    def __repr__(self):\n        pathlib.Path('@OUT/new').touch()\n        return ''\nA()",
        "class A:\n    def _repr_html_(self): pathlib.Path('@OUT/new').touch()\nA()",
        "class A: pass\na = A()\nimport weakref\nweakref.finalize(a, os.remove, '@OUT/secret.csv')\ndel a",
        "threading.Thread(target=lambda: pathlib.Path('@OUT/new').touch()).start()",
        "def late():\n    time.sleep(0.2)\n    pathlib.Path('@OUT/new').touch()\nimport time\nthreading.Thread(target=late).start()",
        "threading.Timer(0.1, os.remove, ['@OUT/secret.csv']).start()",
        "from concurrent.futures import ThreadPoolExecutor\nlist(ThreadPoolExecutor(1).map(os.remove, ['@OUT/secret.csv']))",
        "import contextlib\nwith contextlib.suppress(Exception): os.remove('@OUT/secret.csv')",
    ],
)
def test_no_later_moment_and_no_other_thread_is_free_of_it(lab: Lab, code: str) -> None:
    try:
        lab.run("import os, pathlib, threading\n" + code)
    except InterpreterError:
        pass
    lab.run("import time\ntime.sleep(0.4)")
    assert sorted(path.name for path in lab.outside.iterdir()) == ["secret.csv", "secret.db"]


def test_a_refusal_says_what_to_do(lab: Lab) -> None:
    with pytest.raises(ForbiddenError, match=r"secret\.csv lies outside the work folder. Use a relative path"):
        lab.run("import pathlib\npathlib.Path('@OUT/secret.csv').read_text()")
    with pytest.raises(ForbiddenError, match=r"network \(socket.__new__\): the sandbox has none. Ask for a tool"):
        lab.run("import socket\nsocket.socket()")
    with pytest.raises(ForbiddenError, match="Forbidden start or control of a process"):
        lab.run("import multiprocessing\nmultiprocessing.get_context('spawn').Process(target=print).start()")
    with pytest.raises(ForbiddenError, match="Forbidden name in text that is compiled: open"):
        lab.run("""import timeit\ntimeit.timeit("open('x')", number=1)""")


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("open('f', 'w').write('a')\nopen('f').read()", "a"),
        (
            "import os\nos.makedirs('m/n')\nos.symlink('n', 'm/l')\nos.rename('m/n', 'm/o')\nsorted(os.listdir('m'))",
            ["l", "o"],
        ),
        (
            "import tempfile, os\nwith tempfile.TemporaryDirectory() as d: open(d + '/x', 'w').close()\nos.path.exists(d)",
            False,
        ),
        ("import shutil, os\nos.makedirs('r/s')\nshutil.rmtree('r')\nos.path.exists('r')", False),
        (
            "import sqlite3\nc = sqlite3.connect('t.db')\nc.execute(\"attach 'u.db' as u\")\nc.execute('select 1').fetchone()",
            (1,),
        ),
        ("import shelve\ns = shelve.open('sh')\ns['a'] = 1\ns['a']", 1),
        (
            "import zipfile\nz = zipfile.ZipFile('z.zip', 'w')\nz.writestr('a', 'b')\nz.close()\nzipfile.ZipFile('z.zip').namelist()",
            ["a"],
        ),
        ("import pickle\npickle.loads(pickle.dumps([{1}, ValueError('x').args, range(3)]))", [{1}, ("x",), range(3)]),
        ("import asyncio\nasyncio.run(asyncio.sleep(0, 'slept'))", "slept"),
        ("import asyncio\nawait asyncio.sleep(0, 'slept')", "slept"),
        ("import timeit\ntimeit.timeit('sum(range(9))', number=2) > 0", True),
        ("import platform\nplatform.system()", __import__("platform").system()),
        ("import cProfile\ncProfile.Profile().runcall(len, [1])", 1),
        ("from dataclasses import make_dataclass\nmake_dataclass('D', ['x'])(1).x", 1),
        ("from collections import namedtuple\nnamedtuple('N', 'a b')(1, 2)._replace(a=3).a", 3),
        ("import zoneinfo\nzoneinfo.ZoneInfo('Europe/Paris').key", "Europe/Paris"),
    ],
)
def test_ordinary_programs_do_not_notice_it(lab: Lab, code: str, output: object) -> None:
    assert lab.run(code) == output
