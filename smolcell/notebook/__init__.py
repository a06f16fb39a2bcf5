"""The notebook's own parts: the magics, the wait of a busy cell, variables in and out."""
