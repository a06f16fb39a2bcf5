"""Values and pure logic: the spec of an agent, loop, prompt, parsing, history, findings, redaction. No I/O.

Imports events, errors, permit and protocols, and the worker's tables.
"""
