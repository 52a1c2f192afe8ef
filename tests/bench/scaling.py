"""What more ranks cost and bring: scaling of walls and heaps in counts, and in seconds up to the
cores.

  scaling.sh PROGRAM --weak      a wall of one leaf that grows in length, constant bricks per rank
  scaling.sh PROGRAM --heaps     a heap of five layers that grows in area, constant stones per rank
  scaling.sh PROGRAM --strong    one wall on 1 to --largest ranks
  scaling.sh PROGRAM --speedup   two ranks over one: 20,000 bricks, 10,000 stones; pairs of runs

Counts need no quiet machine and go with any number of ranks on any number of cores; seconds do
not. Messages and bytes are those that Open MPI itself counts (its monitoring component), from rank
to rank; collective calls are counted apart. What one sweep or one iteration of ADMM sends is, rank
by rank, the slope between two runs that differ in max_sweeps alone, so that nothing else is in it.
Iterations of conjugate gradients are as many to one of ADMM as each wall needs: what they send is
told apart by the program's own counts, which must agree with those of Open MPI in all. The exit
code is 1 where something promised does not hold: equal bits and sweeps of one problem, neighbours,
balance, counts that agree, and what grows between 16 and 64 ranks.

  ranks, bricks, points   of all ranks        colours    of pairs
  work, ghosts, neighb.   most of a rank      work/mean  after a partition by counted work
  moved %                 of the bodies, in the second such partition, when nothing has changed
  msg, B /sweep           messages and bytes that the busiest rank sends in a sweep (Gauss-Seidel)
  msg, B, col /CG         in an iteration of conjugate gradients; collective calls
  msg, B, col /ADMM       in an iteration of ADMM outside conjugate gradients
  msg, B, col /step       what is left of a step: ghosts, contacts, set-up
  msg, B /run             what start and end of a run send: the first partition, the checkpoint
  sweeps, CG              of all steps, where they converge
"""
# test: needs python3

import argparse
import concurrent.futures
import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCHER = os.path.join(os.path.dirname(HERE), "mpirun.sh")
COURSES = 10
BRICK = (0.4, 0.2, 0.2)          # m
GROWTH = 1.15                    # of ghosts, bytes and work of the busiest rank, 16 to 64 ranks
IMBALANCE = 1.1                  # work of the busiest rank over the mean ...
MOVED = 2                        # % of bodies that a partition moves where nothing has changed ...
MANY_BODIES = 500                # ... with as many bodies per rank
MISCOUNTED = 1e-3                # of what ADMM sends: means of ranks are printed to a tenth
MOST_NEIGHBOURS = 8              # of a rank that owns a piece of a single leaf
LYING = 600                      # steps before a heap is counted; what these are solved to:
SETTLED = {"tolerance": 0.1, "stop": {"unbalanced": 0.02}}
SPEEDUP = 1.8                    # two ranks on two cores over one
SHORT, LONG = 4, 12              # max_sweeps of the runs whose difference is taken
COUNTED_STEPS = 4

options = None
failures = []
numbers = {}


# Cases

def base_case(title, step=1e-3):
  return {
    "title": title, "units": "SI", "gravity": [0, 0, -9.81], "time": {"step": step, "end": 10},
    "materials": {"stone": {"density": 2400}},
    "contacts": [{"between": ["stone", "stone"], "friction": 0.6}],
  }


def wall(courses, bricks):
  """A single leaf on a floor; the floor is as long as it."""
  length = BRICK[0] * bricks
  made = base_case(f"wall of {courses} courses of {bricks} bricks")
  made["bodies"] = [
    {"box": [length + 2, 4, 1], "at": [length / 2, 0, -0.5], "material": "stone", "fixed": True},
    {"wall": {"courses": courses, "bricks": bricks, "brick": list(BRICK), "joint": 0.002},
     "material": "stone"},
  ]
  return made


def wall_bricks(courses, bricks):
  return courses * bricks + courses // 2


def stones(count):
  """Random stones dropped in layers onto a floor between four walls, near each other from the
  start."""
  side = round((count / 5) ** 0.5)
  layers = -(-count // side ** 2)
  cell, size = 0.178, 0.12
  half = side * cell / 2
  made = base_case(f"{side * side * layers} stones")
  made["seed"] = 3
  made["solver"] = {"max_sweeps": 200}
  sides = [{"box": [2 * half + 0.4, 0.2, 8], "at": [0, y, 4], "material": "stone", "fixed": True}
           for y in (-half - 0.1, half + 0.1)]
  sides += [{"box": [0.2, 2 * half, 8], "at": [x, 0, 4], "material": "stone", "fixed": True}
            for x in (-half - 0.1, half + 0.1)]
  made["bodies"] = [
    {"box": [2 * half + 2, 2 * half + 2, 1], "at": [0, 0, -0.5], "material": "stone",
     "fixed": True}, *sides,
    {"stones": {"shapes": [{"random": {"points": 12, "ratios": [1, 0.9, 0.8], "variety": 50,
                                       "size": size}}],
                "lattice": {"count": [side, side, layers], "spacing": [cell] * 3, "jitter": 1}},
     "at": [cell / 2 - half, cell / 2 - half, cell / 2], "velocity": [0, 0, -2],
     "material": "stone"},
  ]
  return made


# Runs

class Run:
  """What a run left: history, log, traffic."""

  def __init__(self, folder, log, first=0):
    self.log = log
    with open(os.path.join(folder, "history.csv"), encoding="utf-8") as file:
      self.rows = list(csv.DictReader(file))[first:]

  def column(self, name):
    return [float(row[name]) for row in self.rows]

  def last(self, name):
    return float(self.rows[-1][name])

  def logged(self, pattern):
    """The number that the log states; a log without it is not understood."""
    return float(re.search(pattern, self.log).group(1))

  @property
  def hash(self):
    return re.search(r"hash ([0-9a-f]{32})", self.log).group(1)

  @property
  def stages(self):
    """Seconds of the slowest rank in each stage."""
    table = re.findall(r"^(\S[^\n]*?) +[\d.]+ +[\d.]+ +([\d.]+) +[\d.]+%$", self.log, re.M)
    return {name: float(seconds) for name, seconds in table}

  @property
  def seconds(self):
    """Of a step, without files."""
    total = self.logged(r"(?m)^total +([\d.]+)")
    files = sum(self.stages.get(name, 0) for name in ("checkpoint", "frames"))
    return (total - files) / self.logged(r", (\d+) steps to t")


def run(described, name, ranks, steps, sets=(), start=None, keep=False, count=False, first=0):
  """A run in the folder of work. start: a folder with a checkpoint to go on from; keep: the folder
  stays; count: with its traffic, which costs time; first: steps of the history to leave out."""
  case, folder = f"{name}.yaml", f"{name}.results"
  with open(case, "w", encoding="utf-8") as file:
    json.dump(described, file)
  shutil.rmtree(folder, ignore_errors=True)
  if start:
    shutil.copytree(start, folder)
  command = [LAUNCHER, str(ranks), options.program, "run", case, "-o", folder,
             "--steps", str(steps), "--restart", "--allow", "solver"]
  for key, value in sets:
    command += ["--set", f"{key}={value}"]
  environment = dict(os.environ)
  if count:
    environment.update(OMPI_MCA_pml_monitoring_enable="2",
                       OMPI_MCA_pml_monitoring_enable_output="3",
                       OMPI_MCA_pml_monitoring_filename=os.path.abspath("traffic"))
  done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        check=False, env=environment)
  if done.returncode != 0:
    print(done.stdout[-2000:])
    sys.exit(f"the run '{name}' on {ranks} ranks ended with code {done.returncode}")
  result = Run(folder, done.stdout, first)
  result.folder = folder
  if count:
    result.traffic = [read_traffic(f"traffic.{rank}.prof") for rank in range(ranks)]
  if not keep:
    shutil.rmtree(folder)
  return result


# Counters; one line of COLUMNS and one of counted() each

def read_traffic(path):
  """What one rank sent: {"messages": {rank: n}, "bytes": {rank: n}, "collectives": calls}."""
  found = {"messages": {}, "bytes": {}, "collectives": 0}
  if not os.path.exists(path):
    print("Open MPI has no monitoring component (pml/monitoring), which counts messages")
    sys.exit(77)
  with open(path, encoding="utf-8") as file:
    for line in file:
      words = line.split()
      if words[0] == "E":
        found["bytes"][int(words[2])] = int(words[3])
        found["messages"][int(words[2])] = int(words[5])
      elif words[0] == "A2A":
        found["collectives"] += int(words[4])
  os.remove(path)
  return found


def total(rank, what):
  return rank[what] if what == "collectives" else sum(rank[what].values())


def slope(long, short, what, rounds):
  """What one more round sends, of the rank that sends most then."""
  more = rounds(long) - rounds(short)
  if more <= 0:
    sys.exit("a run with more max_sweeps did not do more: its counts say nothing")
  return max((total(a, what) - total(b, what)) / more for a, b in zip(long.traffic, short.traffic))


def inner_total(done, what):
  """What conjugate gradients sent, of the rank that sent most; one rank alone sends nothing."""
  if len(done.traffic) == 1:
    return 0.0
  return done.logged(rf"(?m)^inner_{what} .* (\d+)$")


def miscounted(long, short, what):
  """What the program counts differently from Open MPI, of all that all ranks send more in the long
  run."""
  if len(long.traffic) == 1:
    return 0.0
  sent = sum(total(a, what) - total(b, what) for a, b in zip(long.traffic, short.traffic))
  means = [done.logged(rf"(?m)^{what} .* ([\d.]+) +\d+$") for done in (long, short)]
  return abs((means[0] - means[1]) * len(long.traffic) / sent - 1)


def outer(long, short, what):
  """What one more iteration of ADMM sends outside conjugate gradients: of the rank that sends most
  in all, less of that which sends most in them."""
  all_more = max(total(a, what) - total(b, what) for a, b in zip(long.traffic, short.traffic))
  inner_more = inner_total(long, what) - inner_total(short, what)
  return (all_more - inner_more) / (COUNTED_STEPS * (LONG - SHORT))


def besides_sweeps(few, many, double, what):
  """What a step sends outside sweeps, and a run outside steps; of the busiest rank each."""
  steps, once = [], []
  for f, m, d in zip(few.traffic, many.traffic, double.traffic):
    sweep = (total(m, what) - total(f, what)) / (sweeps(many) - sweeps(few))
    step = (total(d, what) - total(f, what)) / COUNTED_STEPS
    steps.append(step - SHORT * sweep)
    once.append(total(f, what) - COUNTED_STEPS * step)
  return max(steps), max(once)


def neighbours(long, short):
  """The most ranks to which one rank sends more messages when there are more sweeps."""
  return max(sum(count > b["messages"].get(peer, 0) for peer, count in a["messages"].items())
             for a, b in zip(long.traffic, short.traffic))


def most_work(done, ranks):
  return done.last("imbalance") * done.last("work") / ranks


def sweeps(done):
  return sum(done.column("sweeps"))


def inner(done):
  return sum(done.column("inner"))


# name, heading, format
COLUMNS = [
  ("ranks", "ranks", "d"), ("bricks", "bricks", "d"), ("points", "points", "d"),
  ("colours", "colours", "d"), ("work", "work", ".4g"), ("imbalance", "work/mean", ".3f"),
  ("moved", "moved %", ".2f"), ("ghosts", "ghosts", "d"), ("neighbours", "neighb.", "d"),
  ("sweep_messages", "msg/sweep", ".1f"), ("sweep_bytes", "B/sweep", ".0f"),
  ("inner_messages", "msg/CG", ".2f"), ("inner_bytes", "B/CG", ".0f"),
  ("inner_collectives", "col/CG", ".2f"), ("outer_messages", "msg/ADMM", ".2f"),
  ("outer_bytes", "B/ADMM", ".0f"), ("outer_collectives", "col/ADMM", ".2f"),
  ("step_messages", "msg/step", ".0f"),
  ("step_bytes", "B/step", ".4g"), ("step_collectives", "col/step", ".0f"),
  ("once_messages", "msg/run", ".0f"), ("once_bytes", "B/run", ".4g"),
  ("megabytes", "MB", ".1f"), ("sweeps", "sweeps", "d"), ("inner", "CG", "d"),
  ("seconds", "s/step", ".3g"),
]


def counted(described, name, ranks, bricks, start=None, before=0):
  """One row of a table: of sweeps alone, of multigrid alone, of partitions. start: a folder with a
  checkpoint after the steps before, to go on from."""
  common = [("partition.balance", "false"), ("solver.tolerance", 1e-12), ("solver.correction", 0)]

  def fixed(method, most, steps=COUNTED_STEPS, more=(), count=True):
    sets = [*common, ("solver.method", method), ("solver.max_sweeps", most), *more]
    return run(described, f"{name}-{method}-{most}", ranks, before + steps, sets, start,
               count=count, first=before)

  few, many = (fixed("gauss-seidel", most) for most in (SHORT, LONG))
  short, long = (fixed("admm-amg", most) for most in (SHORT, LONG))
  # twice the steps: what a step sends besides sweeps, and what start and end of a run do
  double = fixed("gauss-seidel", SHORT, 2 * COUNTED_STEPS)
  # shared out after two steps, when work is known, and after two more
  shared = fixed("gauss-seidel", LONG, 6, [("partition.every", 2)], count=False)
  row = {
    "ranks": ranks, "bricks": bricks, "points": many.last("points"), "long": LONG,
    "colours": many.last("colours"), "work": most_work(many, ranks),
    "imbalance": shared.last("imbalance"),
    "moved": 100 * shared.column("moved_bodies")[4] / bricks,
    "ghosts": many.last("ghosts"), "neighbours": neighbours(many, few),
    "megabytes": long.logged(r"([\d.]+) MB of own memory"),
  }
  kinds = ("messages", "bytes", "collectives")
  row["miscounted"] = max(miscounted(long, short, what) for what in kinds)
  for what in kinds:
    row[f"sweep_{what}"] = slope(many, few, what, sweeps)
    row[f"inner_{what}"] = inner_total(long, what) / inner(long)
    row[f"outer_{what}"] = outer(long, short, what)
    row[f"step_{what}"], row[f"once_{what}"] = besides_sweeps(few, many, double, what)
  return row


# Studies

def show(title, rows):
  """Columns that no row knows are left out."""
  print(f"\n{title}")
  columns = [c for c in COLUMNS if any(row.get(c[0]) is not None for row in rows)]
  print(" ".join(f"{heading:>9}" for _, heading, _ in columns))
  for row in rows:
    words = []
    for name, _, layout in columns:
      value = row.get(name)
      if value is None or value != value:
        words.append(f"{'-':>9}")
      else:
        words.append(f"{int(value) if layout == 'd' else value:>9{layout}}")
    print(" ".join(words), flush=True)


def expect(text, good):
  print(("fine    " if good else "FAILED  ") + text, flush=True)
  if not good:
    failures.append(text)


def all_ranks():
  return [p for p in (1, 2, 4, 8, 16, 32, 64) if p <= options.largest]


def timed(cases, steps, ranks):
  """Median seconds of a step, runs in turn; {ranks: seconds}."""
  times = {p: [] for p in ranks}
  for _ in range(options.repeats):
    for p in ranks:
      times[p].append(run(cases[p], f"timed-{p}", p, steps).seconds)
  return {p: statistics.median(all_times) for p, all_times in times.items()}


def judge(rows, most_neighbours):
  """What holds on any number of ranks, and what may grow between 16 and 64. most_neighbours: of a
  rank; None: pieces may have any number of them, and messages grow with it."""
  for row in rows:
    text = f"{row['ranks']} ranks: "
    if most_neighbours:
      expect(f"{text}neighbours {row['neighbours']} <= {most_neighbours}",
             row["neighbours"] <= most_neighbours)
    expect(f"{text}counts off those of Open MPI by {100 * row['miscounted']:.2f} %",
           row["miscounted"] <= MISCOUNTED)
    if row["bricks"] >= MANY_BODIES * row["ranks"]:
      expect(f"{text}work over mean {row['imbalance']:.3f} <= {IMBALANCE}",
             row["imbalance"] <= IMBALANCE)
      expect(f"{text}{row['moved']:.2f} % < {MOVED} % of bodies move where nothing changes",
             row["moved"] < MOVED)
  at = {row["ranks"]: row for row in rows}
  if not {16, 64} <= set(at):
    return
  few, many = at[16], at[64]
  for name in ("work", "ghosts", "sweep_bytes", "inner_bytes", "outer_bytes", "step_bytes"):
    ratio = many[name] / few[name]
    expect(f"64 over 16 ranks: {name} {ratio:.3f} <= {GROWTH}", ratio <= GROWTH)
  for name in ("sweep_messages", "inner_messages", "outer_messages") if most_neighbours else ():
    # those of a round to one neighbour more
    most = few[name] * (1 + 1 / few["neighbours"])
    expect(f"64 over 16 ranks: {name} {many[name]:.2f} <= {most:.2f}", many[name] <= most)


def weak():
  rows, cases = [], {}
  for p in all_ranks():
    bricks = -(-options.bricks * p // COURSES)
    cases[p] = wall(COURSES, bricks)
    rows.append(counted(cases[p], f"weak-{p}", p, wall_bricks(COURSES, bricks)))
    save("weak", rows)
    note(f"weak, {p} ranks counted")
  add_seconds(rows, cases)
  show(f"Weak scaling: a wall of {COURSES} courses, {options.bricks} bricks per rank", rows)
  judge(rows, MOST_NEIGHBOURS)
  return rows


def heaps():
  """Heaps that lie, made on one rank and shared out."""
  rows = []
  for p in all_ranks():
    described = stones(options.stones * p)
    start = run(described, f"heaps-{p}-start", 1, LYING, [("solver", json.dumps(SETTLED))],
                keep=True)
    count = int(start.last("bodies"))
    rows.append(counted(described, f"heaps-{p}", p, count, start.folder, LYING))
    shutil.rmtree(start.folder)
    save("heaps", rows)
    note(f"heaps, {p} ranks counted")
  show(f"Weak scaling: a heap of five layers, {options.stones} stones per rank", rows)
  judge(rows, None)
  return rows


def strong():
  bricks = -(-options.wall // COURSES)
  described = wall(COURSES, bricks)
  rows, solved = [], {}
  for p in all_ranks():
    row = counted(described, f"strong-{p}", p, wall_bricks(COURSES, bricks))
    solved[p] = run(described, f"solved-{p}", p, COUNTED_STEPS)
    row["sweeps"], row["inner"] = sweeps(solved[p]), inner(solved[p])
    rows.append(row)
    save("strong", rows)
    note(f"strong, {p} ranks counted")
  add_seconds(rows, {p: described for p in all_ranks()})
  show(f"Strong scaling: {rows[0]['bricks']} bricks; sweeps and CG iterations of {COUNTED_STEPS} "
       "steps that converge", rows)
  first = solved[1]
  for p, done in solved.items():
    same = all(done.column(name) == first.column(name)
               for name in ("sweeps", "inner", "factorisations", "correction_sweeps"))
    expect(f"{p} ranks: {sweeps(done):.0f} sweeps, {inner(done):.0f} CG iterations, hash "
           f"{done.hash}", same and done.hash == first.hash)
  return rows


def add_seconds(rows, cases):
  """To the rows of as many ranks as there are cores."""
  cores = [p for p in cases if p <= len(os.sched_getaffinity(0))]
  if options.repeats == 0:
    return
  times = timed(cases, COUNTED_STEPS, cores)
  for row in rows:
    row["seconds"] = times.get(row["ranks"])


def show_stages(one, two):
  """Where two ranks lose: seconds per stage of a run on one and on two."""
  print(f"{'stage':<14}{'1 rank s':>10}{'2 ranks s':>11}{'ratio':>8}")
  for name, seconds in one.stages.items():
    more = two.stages.get(name, 0.0)
    ratio = f"{seconds / more:.2f}" if more > 0 else "-"
    print(f"{name:<14}{seconds:>10.3f}{more:>11.3f}{ratio:>8}")


def side_by_side(described, name, steps, sets, start):
  """Two runs on a rank each at the same time: what the machine gives at most."""
  with concurrent.futures.ThreadPoolExecutor() as pool:
    runs = [pool.submit(run, described, f"{name}-beside-{k}", 1, steps, sets, start)
            for k in range(2)]
    return [r.result() for r in runs]


def speedup():
  """Pairs of runs, one rank and two: a wall from its start, stones once they lie on each other."""
  found = []
  scenarios = [("wall", wall(50, -(-options.speedup_bricks // 50)), 0, 20),
           ("stones", stones(options.speedup_stones), options.settle, 12)]
  for name, described, settle, steps in scenarios:
    start, sets = None, []
    if settle:
      start = run(described, f"{name}-start", 1, settle, keep=True).folder
      # a partition by counted work, as late as it is known
      sets = [("partition.every", settle + 2)]
    ratios, ceilings, pairs = [], [], []
    for _ in range(max(options.repeats, 1)):
      pair = [run(described, f"{name}-{p}", p, settle + steps, sets, start) for p in (1, 2)]
      pairs.append(pair)
      ratios.append(pair[0].seconds / pair[1].seconds)
      beside = side_by_side(described, name, settle + steps, sets, start)
      ceilings.append(2 * pair[0].seconds / statistics.mean(r.seconds for r in beside))
    one, two = sorted(pairs, key=lambda pair: pair[0].seconds / pair[1].seconds)[len(pairs) // 2]
    ratio, ceiling = statistics.median(ratios), statistics.median(ceilings)
    print(f"\nTwo ranks over one, {described['title']}: {one.last('points'):.0f} points, "
          f"{one.last('sweeps'):.0f} sweeps, {one.last('inner'):.0f} CG iterations in the last "
          f"step, imbalance {two.last('imbalance'):.3f}, {two.last('ghosts'):.0f} ghosts")
    show_stages(one, two)
    expect(f"{name}: same hash {one.hash}", one.hash == two.hash)
    print(f"speed-up {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f}, "
          f"{len(ratios)} pairs; {SPEEDUP} is asked for on two quiet cores); two runs that know "
          f"nothing of each other, side by side: {ceiling:.2f} ({min(ceilings):.2f} to "
          f"{max(ceilings):.2f})")
    found.append({"case": name, "speedup": ratio, "ratios": ratios, "side_by_side": ceilings,
                  "seconds": [[r.seconds for r in pair] for pair in pairs]})
  return found


def save(study, rows):
  """All numbers so far: what is long may be interrupted."""
  numbers[study] = rows
  if options.json:
    with open(options.json, "w", encoding="utf-8") as file:
      json.dump(numbers, file, indent=1)


def note(text):
  if not options.quiet:
    print(text, file=sys.stderr, flush=True)


def whole_number(least, most):
  def parse(word):
    if not re.fullmatch(r"\d{1,9}", word) or not least <= int(word) <= most:
      raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, found '{word}'")
    return int(word)
  return parse


def main():
  global options
  parser = argparse.ArgumentParser(prog="scaling.sh", description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  add = parser.add_argument
  add("program", help="path of drystone")
  add("--weak", action="store_true")
  add("--heaps", action="store_true")
  add("--strong", action="store_true")
  add("--speedup", action="store_true")
  add("--largest", type=whole_number(1, 4096), default=64, metavar="P", help="ranks; 64")
  add("--bricks", type=whole_number(20, 10**6), default=500, help="per rank, weak scaling; 500")
  add("--stones", type=whole_number(20, 10**6), default=80, help="per rank, heaps; 80")
  add("--wall", type=whole_number(20, 10**7), default=4000, help="bricks, strong scaling; 4000")
  add("--repeats", type=whole_number(0, 99), default=3, help="timed runs; 3, 0: count alone")
  add("--speedup-bricks", type=whole_number(100, 10**7), default=20000, help="20000")
  add("--speedup-stones", type=whole_number(10, 10**7), default=10000, help="10000")
  add("--settle", type=whole_number(0, 10**6), default=300, help="steps of the stones before; 300")
  add("--json", metavar="FILE", help="all numbers, for scaling_model.py")
  add("--quiet", action="store_true", help="no word of progress")
  options = parser.parse_args()
  options.program = os.path.abspath(options.program)
  if not os.access(options.program, os.X_OK):
    parser.error(f"{options.program} is not a program")
  if options.json:
    options.json = os.path.abspath(options.json)
  studies = [s for s in (weak, heaps, strong, speedup) if getattr(options, s.__name__)]
  if not studies:
    parser.error("one of --weak, --heaps, --strong and --speedup is needed")
  with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for study in studies:
      save(study.__name__, study())
    os.chdir("/")
  if failures:
    print(f"{len(failures)} of what is promised does not hold")
  sys.exit(1 if failures else 0)


main()
