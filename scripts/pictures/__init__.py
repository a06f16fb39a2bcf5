"""The pictures of the documentation, a function each; ``scripts/take_pictures.py`` takes them."""
