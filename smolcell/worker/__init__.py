"""The program on the far side of every sandbox: supervisor (wire, clock, kill) and runner (the code).

Standard library only, Python 3.9 and later, imports nothing of smolcell outside this folder: it is shipped as a zip.
"""
