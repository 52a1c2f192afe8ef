"""python3 -m drystone report|picture|movie FOLDER [options]: what results look like.

What the program's commands of these names call.
"""
# test: needs python3

import argparse
import importlib
import sys


def add_drawing(command):
    command.add_argument("folder", help="of results")
    command.add_argument("-o", "--output", help="the file; without it one in the folder")
    command.add_argument("--by", default="displacement", help="what colours bodies that move")
    command.add_argument("--forces", default="none", help="none, chains, arrows or thrust")
    command.add_argument("--hinges", type=float,
                         help="rad: joints that turned by more get a ball")
    command.add_argument("--from", dest="viewer", default="-1,-2,0.8",
                         help="direction in which the viewer stands")
    command.add_argument("--zoom", type=float, default=1.0, help="1: what moves fits in")
    command.add_argument("--enlarge", type=float, default=1.0, help="displacements of nodes")
    command.add_argument("--size", default="1000,800", help="width and height in pixels")


def report_on(arguments):
    module = importlib.import_module("drystone.report")
    try:
        print(module.write(arguments.folder, arguments.output))
    except FileNotFoundError as error:
        print(f"drystone: {error}", file=sys.stderr)
        return 2
    except (OSError, module.DamagedError) as error:
        print(f"drystone: {error}", file=sys.stderr)
        return 4
    return 0


def main(words=None):
    parser = argparse.ArgumentParser(prog="drystone", description="looks at results")
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="one HTML file about a run")
    report.add_argument("folder", help="of results")
    report.add_argument("-o", "--output", help="the file; without it report.html in the folder")
    picture = commands.add_parser("picture", help="a frame, by ParaView")
    add_drawing(picture)
    picture.add_argument("--time", type=float, help="of the frame, s; without it the last one")
    movie = commands.add_parser("movie", help="all frames as an animated GIF, by ParaView")
    add_drawing(movie)
    movie.add_argument("--every", type=int, default=1, help="one of so many frames")
    # a direction may begin with a minus, and is no option then
    words = list(sys.argv[1:] if words is None else words)
    while "--from" in words[:-1]:
        at = words.index("--from")
        words[at:at + 2] = ["--from=" + words[at + 1]]
    arguments = parser.parse_args(words)
    try:
        if arguments.command == "report":
            return report_on(arguments)
        return importlib.import_module("drystone.picture").call(arguments)
    except ImportError as missing:   # of what a question needs, wherever it is imported
        package = {"PIL": "pil"}.get(missing.name, missing.name)
        print(f"drystone: this needs {missing.name} of Python: install python3-{package}",
              file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
