"""The command `dokulog`: the same program as the one built with Cargo."""

import signal
import sys

from ._native import main as native_main


def main() -> None:
    """Runs the command with the arguments of the process, and ends it."""
    # The program listens for itself, as it does without Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(native_main(["dokulog", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
