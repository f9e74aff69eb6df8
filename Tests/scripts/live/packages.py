"""Python packages that the tests install for themselves."""
import subprocess
from pathlib import Path


def programs_of(name, package):
    """The folder of programs of a virtual environment that has the package (NAME==VERSION); it is made once, see .ci/python.sh."""
    made = subprocess.run([".ci/python.sh", name, package], stdout=subprocess.PIPE, text=True, check=True)
    return Path(made.stdout.strip())
