"""Who decides what may run: the policy, gates, grants, and the contract of a run.

Imports ``machine``, ``core`` and what is below them. Only ``gates`` makes permits.
"""
