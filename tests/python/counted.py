"""Checks of a program that are counted, each failure printed; for tests of drystone solve."""
# test: needs python3
import os
import sys


class Counted:
    def __init__(self, program):
        self.program, self.checks, self.failures = os.path.abspath(program), 0, 0

    def check(self, holds, what):
        self.checks += 1
        if not holds:
            self.failures += 1
            print("FAILED  " + what)

    def finish(self):
        """The last call of a test."""
        print(f"{self.checks} checks, {self.failures} failed")
        sys.exit(self.failures > 0 or self.checks == 0)
