"""What only a notebook has: the magics, the wait of a busy cell, variables in and out."""
