#!/usr/bin/env python3
"""The table of a study: rows of a CSV file are runs of a case, its heading names keys of the case.

  study.py rows TABLE               how many rows there are
  study.py begin TABLE ROW FOLDER   the row as words for `drystone run`, each ended by a NUL; noted
  study.py end FOLDER ROW CODE      notes the exit code of the row's run
  study.py collect TABLE FOLDER [--case CASE] [--program DRYSTONE] [--output FILE]
                                [--probes] [--peaks COLUMN[,COLUMN]...]
                                    one table of what became of all rows; a map of two parameters

Rows count from 1, after the heading. A value is YAML as in --set; where it has commas it stands in
double quotes, as CSV has it. FOLDER holds the results of row 7 in FOLDER/7 and what is noted of it
in FOLDER/7.json. A case says in a comment how an outcome is called:
# verdict: falls if kinetic_energy > 1e-3, else stands
--probes adds the least, largest and last value of each column of probes.csv, --peaks the least and
largest value of columns of history.csv, from the lines up to the step of the row.
"""
# test: needs python3
import argparse
import csv
import json
import operator
import os
import re
import subprocess
import sys

RELATIONS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}


def fail(text):
    print(f"study: {text}", file=sys.stderr)
    sys.exit(2)


def read_table(path):
    """Keys, and a list of values for each row, as texts."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = csv.reader(file, skipinitialspace=True, strict=True)
            rows = [(lines.line_num, [word.strip() for word in row]) for row in lines if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        fail(f"{path}: {error}")
    if len(rows) < 2:
        fail(f"{path}: a heading and at least one row are needed")
    keys = rows[0][1]
    for key in keys:
        if not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", key):
            fail(f"{path}: '{key}' in the heading is no key of a case, such as contacts.0.friction")
        if keys.count(key) > 1:
            fail(f"{path}: {key} is twice in the heading")
    for line, row in rows[1:]:
        if len(row) != len(keys) or not all(row):
            fail(f"{path}:{line}: {len(keys)} values are needed, one for each key of the heading")
    return keys, [row for _, row in rows[1:]]


def note_path(folder, row):
    return os.path.join(folder, f"{row}.json")


def read_note(folder, row):
    """What is noted of a row, or None."""
    path = note_path(folder, row)
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")


def write_note(folder, row, note):
    path = note_path(folder, row)
    try:
        os.makedirs(folder, exist_ok=True)
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(note, file)
            file.write("\n")
        os.replace(path + ".tmp", path)
    except OSError as error:
        fail(f"{path}: {error}")


def begin(table, row, folder):
    keys, rows = read_table(table)
    if not 1 <= row <= len(rows):
        fail(f"{table}: there is no row {row}, but rows 1 to {len(rows)}")
    values = dict(zip(keys, rows[row - 1]))
    before = read_note(folder, row)
    if before and before["set"] != values:
        fail(f"{table}: row {row} has other values than when {os.path.join(folder, str(row))} was "
             f"begun ({before['set']}); take another folder by -o, or remove that one and "
             f"{note_path(folder, row)}")
    write_note(folder, row, {"set": values, "code": None})
    for key, value in values.items():
        sys.stdout.write(f"--set\0{key}={value}\0")


def end(folder, row, code):
    write_note(folder, row, {**read_note(folder, row), "code": code})


class Verdict:
    """What a case says of the outcome: `# verdict: falls if NUMBER > LIMIT, else stands`."""

    def __init__(self, case):
        self.name = self.yes = self.no = None
        if case is None:
            return
        try:
            with open(case, encoding="utf-8") as file:
                found = re.findall(r"^# verdict: *(.*?) *$", file.read(), re.M)
        except (OSError, UnicodeDecodeError) as error:
            fail(f"{case}: {error}")
        if len(found) > 1:
            fail(f"{case}: more than one verdict")
        if not found:
            return
        form = re.fullmatch(r"(\S+) if (\w+) *(<=|>=|<|>) *(\S+), else (\S+)", found[0])
        try:
            self.yes, self.name, relation, limit, self.no = form.groups()
            self.limit = float(limit)
        except (AttributeError, ValueError):
            fail(f"{case}: '# verdict: {found[0]}' is not of the form "
                 "'# verdict: falls if kinetic_energy > 1e-3, else stands'")
        self.holds = RELATIONS[relation]

    def of(self, numbers):
        """A word; empty where there is no verdict, or not the number."""
        if self.name is None or numbers.get(self.name) is None:
            return ""
        return self.yes if self.holds(float(numbers[self.name]), self.limit) else self.no


STATES = {0: "done", 85: "stopped"}


def state_of(note, numbers):
    """One word, and why a row has no verdict."""
    if note is None:
        return "missing", "not begun"
    code = note["code"]
    if code is None:
        return ("unfinished", "killed or still running" if numbers else "no checkpoint yet")
    if code in STATES:
        return STATES[code], "" if code == 0 else "to be continued"
    return "failed", f"exit code {code}"


def look(program, folder):
    """What drystone info says of a folder, or {} where there is no checkpoint."""
    if not os.path.isdir(folder):
        return {}
    ran = subprocess.run([program, "info", "--json", folder], capture_output=True, text=True,
                         stdin=subprocess.DEVNULL, check=False)
    if ran.returncode != 0:
        return {}
    return json.loads(ran.stdout)


def as_number(text):
    try:
        return float(text)
    except ValueError:
        return None


def draw_map(keys, rows, outcomes, verdict, write):
    """First parameter downwards, second across; a sign for each verdict."""
    axes = [sorted({row[k] for row in rows}, key=lambda v: (as_number(v) is None, as_number(v), v))
            for k in (0, 1)]
    if len(axes[0]) < 2 or len(axes[1]) < 2:
        return
    signs = {verdict.yes: ".", verdict.no: "#"}
    at = {tuple(row): signs.get(outcome, "?") for row, outcome in zip(rows, outcomes)}
    side = max(len(value) for value in axes[0])
    write(f"\n{keys[0]} down, {keys[1]} across; . {verdict.yes}, # {verdict.no}, ? unknown\n")
    write(" " * side + "".join(f"  {value}" for value in axes[1]) + "\n")
    for down in reversed(axes[0]):
        line = "".join(f"  {at.get((down, across), ' '):>{len(across)}}" for across in axes[1])
        write(f"{down:>{side}}{line}\n")


def extremes(path, wanted, last, most):
    """{column: [least, largest, last]} of a table by steps, up to a step; wanted: None is all.

    A line that is cut short, and values that are no numbers (`nan`), do not count. most: whether a
    column that is not there is an error.
    """
    found = {}
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            heading = next(lines, [])
            for name in wanted or []:
                if name not in heading and most:
                    fail(f"{path} has no column '{name}'")
            for line in lines:
                if len(line) != len(heading) or not line[0].isdigit() or int(line[0]) > last:
                    continue
                for name, text in zip(heading, line):
                    value = as_number(text)
                    if value is None or value != value or name in ("step", "time"):
                        continue
                    if wanted is not None and name not in wanted:
                        continue
                    seen = found.setdefault(name, [value, value, value])
                    found[name] = [min(seen[0], value), max(seen[1], value), value]
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        fail(f"{path}: {error}")
    return found


def measured(arguments, folder, step):
    """Columns that --probes and --peaks ask for, of one row: {name: value}."""
    found = {}
    if arguments.probes:
        for name, ends in extremes(os.path.join(folder, "probes.csv"), None, step, False).items():
            for word, value in zip(("least", "largest", "last"), ends):
                found[f"{name}.{word}"] = value
    if arguments.peaks:
        wanted = arguments.peaks.split(",")
        ends = extremes(os.path.join(folder, "history.csv"), wanted, step, True)
        for name in wanted:
            if name in ends:
                found[f"{name}.least"], found[f"{name}.largest"] = ends[name][:2]
    return found


NUMBERS = ["step", "time", "bodies", "removed", "largest_displacement", "farthest_body",
           "kinetic_energy", "hash"]


def outcome(arguments, verdict, row, values):
    """What became of a row: a dict of state, reason, verdict and numbers."""
    note = read_note(arguments.folder, row)
    if note and note["set"] != values:
        fail(f"{note_path(arguments.folder, row)} is of other values than row {row} of "
             f"{arguments.table}")
    numbers = look(arguments.program, os.path.join(arguments.folder, str(row))) if note else {}
    state, reason = state_of(note, numbers)
    if state == "done" and not numbers:
        state, reason = "damaged", "its results cannot be read"
    word = verdict.of(numbers) if state == "done" else ""
    more = {}
    if numbers.get("step") is not None:
        more = measured(arguments, os.path.join(arguments.folder, str(row)), numbers["step"])
    return {"state": state, "reason": reason, "verdict": word, **numbers, "measured": more}


def write_collected(path, keys, rows, outcomes):
    columns = ["state", "reason", "verdict", *NUMBERS]
    more = []   # in the order of the first row that has each
    for what in outcomes:
        more += [name for name in what["measured"] if name not in more]
    try:
        with (open(path, "w", newline="", encoding="utf-8") if path
              else open(sys.stdout.fileno(), "w", newline="", closefd=False)) as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(["row", *keys, *columns, *more])
            for number, (row, what) in enumerate(zip(rows, outcomes), 1):
                table.writerow([number, *row, *(what.get(name, "") for name in columns),
                                *(what["measured"].get(name, "") for name in more)])
    except OSError as error:
        fail(f"{path or 'standard output'}: {error}")


def collect(arguments):
    keys, rows = read_table(arguments.table)
    verdict = Verdict(arguments.case)
    outcomes = [outcome(arguments, verdict, number, dict(zip(keys, row)))
                for number, row in enumerate(rows, 1)]
    write_collected(arguments.output, keys, rows, outcomes)

    counts = {}
    for what in outcomes:
        word = what["verdict"] or what["state"]
        counts[word] = counts.get(word, 0) + 1
    say = sys.stderr.write
    say(f"{len(rows)} rows: " + ", ".join(f"{n} {word}" for word, n in counts.items()) + "\n")
    for number, what in enumerate(outcomes, 1):
        if what["state"] != "done":
            say(f"row {number} {what['state']}: {what['reason']}\n")
    if len(keys) == 2 and verdict.name:
        draw_map(keys, rows, [what["verdict"] for what in outcomes], verdict, say)
    return 0 if all(what["state"] == "done" for what in outcomes) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    words = {"rows": ["table"], "begin": ["table", "row", "folder"],
             "end": ["folder", "row", "code"], "collect": ["table", "folder"]}
    for command, names in words.items():
        its = commands.add_parser(command)
        for name in names:
            its.add_argument(name, type=int if name in ("row", "code") else str)
        if command == "collect":
            root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
            its.add_argument("--case", default=None)
            its.add_argument("--program", default=os.path.join(root, "build", "drystone"))
            its.add_argument("--output", default=None)
            its.add_argument("--probes", action="store_true")
            its.add_argument("--peaks", default=None)
    arguments = parser.parse_args()
    if arguments.command == "rows":
        print(len(read_table(arguments.table)[1]))
    elif arguments.command == "begin":
        begin(arguments.table, arguments.row, arguments.folder)
    elif arguments.command == "end":
        end(arguments.folder, arguments.row, arguments.code)
    else:
        return collect(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
