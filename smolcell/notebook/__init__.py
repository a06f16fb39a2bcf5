"""The notebook's parts: the magics, the waiting cell, variables in and out; sessions and settings.

Imports everything but the command line and the server's handlers.
"""
