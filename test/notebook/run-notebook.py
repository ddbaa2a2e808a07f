"""Runs a notebook from its first to its last cell, and writes it with its outputs. Ends with the error of the first cell that fails."""

import sys

import nbformat
from nbclient import NotebookClient

source, target = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
nbformat.validate(notebook)
try:
    NotebookClient(notebook, timeout=120, kernel_name='python3').execute()
finally:
    nbformat.write(notebook, target)
