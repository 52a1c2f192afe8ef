#!/usr/bin/env python3
# Watches a long run from outside: resident memory and open files of every rank may grow by less
# than 1 % from the first half of its steps to the second. Their lowest decile counts: memory has
# teeth of half a megabyte (1.7 %), thousands of steps apart, as buffers come and go, and a median
# may stand on a tooth in one half and not in the other. Files that are being written are open for a
# moment. What is never given back raises the floor as it raises all.
# Calls: soak.py PROGRAM MPIRUN CASE STEPS
# test: needs python3
import os
import select
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from counted import Counted

LIMIT = 0.01   # of what the first half took
BEGUN = 0.25   # share of the run in which buffers find their size: some 15,000 steps
LOOKS = 2000   # in a run
program, mpirun, case, steps = os.path.abspath(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4])


def read(path):
  with open(path, encoding="utf-8", errors="replace") as file:
    return file.read()


def ranks_below(process):
  """Process ids of the program among a process and all it started."""
  found, queue = [], [process]
  while queue:
    one = queue.pop()
    try:
      if os.path.realpath(f"/proc/{one}/exe") == os.path.realpath(program):
        found.append(one)
      for task in os.listdir(f"/proc/{one}/task"):
        queue += map(int, read(f"/proc/{one}/task/{task}/children").split())
    except OSError:
      pass   # it has ended meanwhile
  return found


def look(one):
  """Resident memory, KiB, and number of open files."""
  status = dict(line.split(":", 1) for line in read(f"/proc/{one}/status").splitlines())
  return int(status["VmRSS"].split()[0]), len(os.listdir(f"/proc/{one}/fd"))


def watch(ranks):
  """Samples [(share of the run, memory, files)] of each rank of a run, and its exit code.

  The run writes its hashes into a pipe, a line a step, so that it never gets far ahead of the
  one who looks.
  """
  folder, pipe = f"ranks{ranks}", f"ranks{ranks}.pipe"
  shutil.rmtree(folder, ignore_errors=True)
  if os.path.exists(pipe):
    os.remove(pipe)
  os.mkfifo(pipe)
  samples = {}
  with open(f"{folder}.log", "w", encoding="utf-8") as log:
    # before the run, which refuses a pipe that nobody reads; a run that ends before is no hang
    opener = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    run = subprocess.Popen([mpirun, str(ranks), program, "run", case, "-o", folder,
                            "--hash-log", pipe], stdout=log, stderr=subprocess.STDOUT)
    os.set_blocking(opener, True)
    while run.poll() is None and not select.select([opener], [], [], 1)[0]:
      pass
    with os.fdopen(opener, encoding="utf-8") as lines:
      for step, _ in enumerate(lines):
        if step % max(steps // LOOKS, 1):
          continue
        for one in ranks_below(run.pid):
          try:
            samples.setdefault(one, []).append((step / steps, *look(one)))
          except (OSError, KeyError):
            pass   # it ends just now
  return run.wait(), list(samples.values())


def check(counted, ranks):
  code, samples = watch(ranks)
  counted.check(code == 0, f"the run on {ranks} ranks ends with {code}")
  counted.check(len(samples) == ranks, f"{len(samples)} of {ranks} processes were seen")
  for rank, rows in enumerate(samples):
    # memory of the end is given back while the process ends: the last samples are left out
    early = [row for row in rows if BEGUN <= row[0] < 0.5]
    late = [row for row in rows if 0.5 <= row[0] < 0.995]
    counted.check(len(early) >= LOOKS // 5 and len(late) >= LOOKS // 5,
                  f"only {len(early)} and {len(late)} looks at the halves of the run")
    if not early or not late:
      continue
    for place, name, unit in ((1, "resident memory", " KiB"), (2, "open files", "")):
      first, last = (sorted(row[place] for row in part)[len(part) // 10] for part in (early, late))
      told = f"{steps} steps, process {rank + 1} of {ranks}: {name} {first}{unit} in the first " \
        f"half, {last}{unit} in the second, {100 * (last / first - 1):+.2f} %"
      print(told)
      counted.check(last <= first * (1 + LIMIT), told)


def main():
  counted = Counted("soak")
  for ranks in map(int, os.environ.get("SOAK_RANKS", "1 2").split()):
    check(counted, ranks)
  counted.finish()


main()
