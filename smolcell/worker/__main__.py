"""``python -m smolcell_worker``: start the supervisor."""

from .supervisor import main

main()
