"""Runs the commands of a page of the documentation, in one shell, and compares what they print.

    python3 tests/python/tutorials.py PAGE.md

Fenced blocks of `sh` are run one after the other in the current folder. A block of `text` behind
one holds lines that its output must have, in that order; "..." stands for anything in a line.
Exits with 1 where a command fails or a line is missing.
"""
# test: needs python3
import re
import subprocess
import sys
import tempfile
import time


def blocks_of(text):
    """Pairs of language and text of the fenced blocks of a page."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def pattern_of(line):
    parts = [re.escape(part) for part in re.split(r"\s*\.\.\.\s*", line.strip())]
    spaced = r".*?".join(parts)
    return re.compile(re.sub(r"(\\ )+", r"\\s+", spaced))


def missing(expected, printed):
    """The first line that does not come, in order, or None."""
    lines = iter(printed.splitlines())
    for line in expected.splitlines():
        if line.strip() and not any(pattern_of(line).search(found) for found in lines):
            return line
    return None


class Shell:
    """A shell that keeps its variables and folder between blocks."""

    END = "block-ends"

    def __init__(self):
        self.process = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        self.tell("set -eu -o pipefail")

    def tell(self, commands):
        self.process.stdin.write(commands + "\n")
        self.process.stdin.flush()

    def run(self, commands):
        """What the commands print; None behind it where one of them failed."""
        printed = []
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:   # commands may read input
            script.write(commands)
            script.flush()
            self.tell(f". {script.name} </dev/null; echo {self.END}")
            for line in self.process.stdout:
                if line.rstrip("\n").endswith(self.END):
                    printed.append(line[:line.rindex(self.END)])
                    return "".join(printed), True
                printed.append(line)
        return "".join(printed), False


def main(path):
    with open(path, encoding="utf-8") as file:
        blocks = blocks_of(file.read())
    shell, printed, run, lines = Shell(), "", 0, 0
    for language, text in blocks:
        if language == "sh":
            began = time.monotonic()
            printed, fine = shell.run(text)
            if not fine:
                sys.exit(f"{path}: a command failed:\n{text}\n{printed}")
            run += 1
            last = text.strip().splitlines()[-1][:80]
            print(f"{time.monotonic() - began:6.1f} s  {last}", flush=True)
        elif language == "text":
            line = missing(text, printed)
            if line is not None:
                sys.exit(f"{path}: not printed: {line}\n{printed}")
            lines += len([line for line in text.splitlines() if line.strip()])
    if run == 0 or lines == 0:
        sys.exit(f"{path}: no command is run, or nothing is expected")
    print(f"{path}: {run} blocks run, {lines} lines as expected")


if __name__ == "__main__":
    main(sys.argv[1])
