"""The notebook's parts: the magics, the waiting cell, variables in and out."""
