"""Runs the program drystone from Python: checks, runs and studies of cases."""
# test: needs python3

import importlib
import itertools
import json
import os
import shutil
import subprocess
import tempfile

DONE, STOPPED = 0, 85   # exit codes of runs that lose nothing


class ProgramError(RuntimeError):
    """The program refused a case, or a run did not come to its end.

    code   exit code of the program; below zero: the signal that ended it
    said   the last lines that it printed
    """

    __module__ = "drystone"   # as users know it

    def __init__(self, command, code, said):
        super().__init__(f"{command} ended with code {code}: {said}" if said
                         else f"{command} ended with code {code}")
        self.code, self.said = code, said


def find_program():
    """Path of the program: $DRYSTONE, that of this checkout or prefix, or the one on the PATH."""
    named = os.environ.get("DRYSTONE")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    for beside in (("..", "..", "..", "build"), ("..", "..", "..", "..", "bin")):
        path = os.path.normpath(os.path.join(here, *beside, "drystone"))
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("drystone")
    if not found:
        raise FileNotFoundError("there is no program drystone: build or install it, or name it in "
                                "the environment as DRYSTONE")
    return found


def _command(ranks, launcher):
    """How the program is started: alone for one rank, else by mpirun or what is given."""
    if not isinstance(ranks, int) or ranks < 1:
        raise ValueError(f"ranks: expected a number from 1, found {ranks!r}")
    if launcher is not None:
        return [word.replace("{ranks}", str(ranks)) for word in launcher]
    return [] if ranks == 1 else ["mpirun", "-n", str(ranks)]


def _refusal(words, ran):
    lines = [line for line in ran.stderr.splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith("drystone:")]
    return ProgramError(words, ran.returncode, "\n".join(ours or lines[-5:]))


class _CaseFile:
    """The path of a case: a file as it is, or a Case that is written for a while."""

    def __init__(self, case, folder=None):
        self.case, self.folder, self.made = case, folder, None

    def __enter__(self):
        if not hasattr(self.case, "text"):
            return os.fspath(self.case)
        text = self.case.text()
        number, self.made = tempfile.mkstemp(".yaml", "case-", self.folder or ".")
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
        return self.made

    def __exit__(self, *reason):
        if self.made:
            os.remove(self.made)


def check(case, folder=None):
    """What `drystone check --json` tells of a case: a dict.

    case     a Case, or the path of a case file
    folder   of a Case: where paths of meshes count from; without it the current one
    """
    with _CaseFile(case, folder) as path:
        ran = subprocess.run([find_program(), "check", "--json", path], capture_output=True,
                             text=True, stdin=subprocess.DEVNULL, check=False)
    if ran.returncode != 0:
        raise _refusal("drystone check", ran)
    return json.loads(ran.stdout)


def _settings(values):
    for key, value in (values or {}).items():
        yield "--set"
        yield f"{key}={value if isinstance(value, str) else json.dumps(value)}"


def run(case, folder, ranks=1, set=None, restart=False, overwrite=False, launcher=None,
        options=(), log=None):
    """Runs a case into a folder of results, and returns them.

    case        a Case, or the path of a case file. A Case is written beside the folder, as
                FOLDER.yaml: a restart needs it
    ranks       how many; several are started by `mpirun -n RANKS`
    set         keys of the case with other values: {"time.end": 2}
    restart     goes on from the last checkpoint in the folder, or begins where there is none
    overwrite   removes earlier results first; without it they are an error
    launcher    words in front of the program instead of mpirun; {ranks} in them is the number
    options     further options of `drystone run`
    log         path of a file for what the program prints; without it FOLDER.log

    Raises ProgramError where the run does not come to its end: code 2 is a case that is refused,
    85 a run that was stopped and can go on.
    """
    folder = os.fspath(folder)
    os.makedirs(os.path.dirname(os.path.abspath(folder)), exist_ok=True)
    path = case.write(folder.rstrip("/") + ".yaml") if hasattr(case, "write") else os.fspath(case)
    command = [*_command(ranks, launcher), find_program(), "run", path, "-o", folder,
               *(["--restart"] if restart else []), *(["--overwrite"] if overwrite else []),
               *_settings(set), *options]
    log = os.fspath(log) if log else folder.rstrip("/") + ".log"
    with open(log, "a" if restart else "w", encoding="utf-8") as file:
        begin = file.tell()
        code = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False).returncode
    if code != DONE:
        with open(log, encoding="utf-8", errors="replace") as file:
            file.seek(begin)
            lines = [line.rstrip() for line in file if line.strip()]
        ours = [line for line in lines if line.startswith("drystone:")]
        raise ProgramError("drystone run", code, "\n".join(ours[-5:] or lines[-5:]))
    return importlib.import_module("drystone.results").Results(folder)


def _rows(table):
    """Rows of a study: a list of dicts as it is; of a dict of lists every combination."""
    if isinstance(table, dict):
        return [dict(zip(table, values)) for values in itertools.product(*table.values())]
    return [dict(row) for row in table]


def _note(path, note=None):
    """What is noted of a row of a study, in the way of jobs/slurm/study.py; a note is written."""
    if note is None:
        try:
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        json.dump(note, file)
        file.write("\n")
    os.replace(path + ".tmp", path)
    return note


def study(case, table, folder, **options):
    """Runs a case once for each row of a table of keys; yields (row, results or ProgramError).

    table    a list of dicts {key: value}, or a dict {key: values} for every combination
    folder   results of row K, from 1, go to FOLDER/K. A study that was broken off goes on: rows
             that are done are not run again, others go on from their last checkpoint
    options  as run() takes them: ranks, launcher, options

    A folder that holds other values for a row is refused with ValueError.
    """
    folder = os.fspath(folder)
    os.makedirs(folder, exist_ok=True)
    for number, row in enumerate(_rows(table), 1):
        place, path = os.path.join(folder, str(number)), os.path.join(folder, f"{number}.json")
        values = {key: value if isinstance(value, str) else json.dumps(value)
                  for key, value in row.items()}
        before = _note(path)
        if before and before["set"] != values:
            raise ValueError(f"{place} was run with {before['set']}, not {values}; take another "
                             "folder, or remove that one and its .json")
        if not before or before["code"] != DONE:
            _note(path, {"set": values, "code": None})
        try:
            if before and before["code"] == DONE:
                results = importlib.import_module("drystone.results").Results(place)
            else:
                results = run(case, place, set=values, restart=True, **options)
            code = DONE
        except ProgramError as error:
            results, code = error, error.code
        _note(path, {"set": values, "code": code})
        yield row, results
