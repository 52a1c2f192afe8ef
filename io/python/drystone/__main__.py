"""python3 -m drystone report FOLDER [-o FILE]: one HTML file about a run.

What the program's command `drystone report` calls.
"""
# test: needs python3

import argparse
import importlib
import sys


def main(words=None):
    parser = argparse.ArgumentParser(prog="drystone", description="looks at results")
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="one HTML file about a run")
    report.add_argument("folder", help="of results")
    report.add_argument("-o", "--output", help="the file; without it report.html in the folder")
    arguments = parser.parse_args(words)
    try:
        module = importlib.import_module("drystone.report")
    except ImportError as missing:
        print(f"drystone: a report needs {missing.name} of Python: install python3-{missing.name}",
              file=sys.stderr)
        return 2
    try:
        print(module.write(arguments.folder, arguments.output))
    except FileNotFoundError as error:
        print(f"drystone: {error}", file=sys.stderr)
        return 2
    except (OSError, module.DamagedError) as error:
        print(f"drystone: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
