#!/usr/bin/env python3
# Damages checkpoints in about DAMAGE_ROUNDS ways (80; a campaign takes 1700) and restarts. A damaged
# generation is named, with its file, the one before it is taken, and the end of the run has the
# hash of the run that nothing happened to; where both are damaged the run ends with exit code 4
# and leaves the folder as it was. Calls: damage.py PROGRAM MPIRUN SCENE BLOCKS
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import damage_kinds
from counted import Counted

ROUNDS = int(os.environ.get("DAMAGE_ROUNDS", 80))
SEED = int(os.environ.get("DAMAGE_SEED", 1))
FIRST = int(os.environ.get("DAMAGE_FIRST", 0))   # number of the round to begin with
KIND = os.environ.get("DAMAGE_KIND", "")         # one kind alone
WORKERS = int(os.environ.get("DAMAGE_WORKERS", 4))
program, mpirun, scene, blocks = sys.argv[1:5]

# a rank alone is started without mpirun, which takes most of the time otherwise; with a temporary
# folder of its own, for that of Open MPI is removed by the first of several that ends
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_ess_singleton_isolated="1")


def call(ranks, words):
  """Exit code and all output of the program; code None: it did not end."""
  command = [program] + words if ranks == 1 else [mpirun, str(ranks), program] + words
  with tempfile.TemporaryDirectory() as own:
    try:
      done = subprocess.run(command, env=dict(environment, TMPDIR=own) if ranks == 1 else None,
                            timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False)
    except subprocess.TimeoutExpired as late:
      return None, str(late)
  return done.returncode, done.stdout.decode("utf-8", "replace")


def names(step):
  return f"checkpoint-{step:09d}.h5", f"checkpoint-{step:09d}.manifest"


def read(path):
  with open(path, "rb") as file:
    return file.read()


def contents(folder):
  """Bytes of all files but the lock."""
  return {name: read(os.path.join(folder, name)) for name in os.listdir(folder) if name != "lock"}


class Reference:
  """A run in which nothing happens, with its last two generations."""

  def __init__(self, case, folder, steps, more=()):
    self.case, self.steps = case, steps
    shutil.rmtree(folder, ignore_errors=True)
    code, text = call(2, ["run", case, "-o", folder, "--steps", str(steps), *more])
    assert code == 0, text
    self.hash = re.search(rf"^step {steps} hash (\w+)$", text, re.M).group(1)
    self.files = contents(folder)
    self.newest, self.previous = self.generation(steps), self.generation(steps - 1)
    self.physics = [line.split(",")[:40] for line in
                    self.files["history.csv"].decode().splitlines()]

  def generation(self, step):
    return damage_kinds.Generation(step, *(self.files[name] for name in names(step)))

  def donors(self, other, frame):
    before = damage_kinds.Generation(self.steps - 2, self.previous.data, self.previous.manifest)
    common = {"frame": frame, "small": len(self.newest.data) < 1 << 20}
    return (damage_kinds.Donors(self.previous, other.newest, **common),
            damage_kinds.Donors(self.newest, other.previous, **common), before)


def write_folder(folder, files):
  shutil.rmtree(folder, ignore_errors=True)
  os.makedirs(folder)
  for name, content in files.items():
    if content is not None:
      with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def faults_after_both(reference, folder, code, text, before):
  """What is wrong with a run that could not begin."""
  faults = []
  if code != 4:
    faults.append(f"exit code {code}, not 4")
  if contents(folder) != before:
    faults.append("the folder has changed")
  for step in (reference.steps, reference.steps - 1):
    if not named(step, text):
      faults.append(f"the damage of step {step} is not told of")
  return faults


def named(step, text):
  """Whether messages tell of the damage, with the file."""
  said = re.findall(rf"the checkpoint of step {step} is damaged: (.*)", text)
  return said and all(any(name in line for name in names(step)) for line in said)


def faults_after_newest(reference, folder, code, text):
  """What is wrong with a run that went on from the generation before."""
  if code != 0:
    return [f"exit code {code}"]
  faults = []
  if not named(reference.steps, text):
    faults.append("the damage is not told of, or without the file")
  if f"restart from step {reference.steps - 1}," not in text:
    faults.append("it did not go on from the generation before")
  if f"step {reference.steps} hash {reference.hash}" not in text:
    faults.append("another hash at the end")
  files = contents(folder)
  lines = [line.split(",")[:40] for line in files["history.csv"].decode().splitlines()]
  if lines != reference.physics:
    faults.append("another history")
  manifest = files.get(names(reference.steps)[1], b"")
  if f"\nhash: {reference.hash}\n".encode() not in manifest:
    faults.append("no checkpoint of the end")
  for name in names(reference.steps - 1):
    if files.get(name) != reference.files[name]:
      faults.append(f"{name} has changed")
  frames = sorted(name for name in files if name.startswith("frame"))
  if frames != sorted(name for name in reference.files if name.startswith("frame")):
    faults.append("other frames")
  return faults


def info_faults(reference, folder, both):
  """What is wrong with what drystone info says of a damaged folder."""
  before = contents(folder)
  code, text = call(1, ["info", folder])
  faults = []
  if code != (4 if both else 0):
    faults.append(f"info: exit code {code}")
  if not named(reference.steps, text):
    faults.append("info: the damage is not told of")
  if contents(folder) != before or os.path.exists(os.path.join(folder, "lock")):
    faults.append("info: the folder has changed")
  return faults


def attempt(number, kind, place, references):
  """One damage: what was done, what is wrong."""
  chance = random.Random(f"{SEED} {number}")
  is_foreign = kind is damage_kinds.foreign
  reference, other = references[chance.random() < (0.03 if is_foreign else 0.15)]
  both = chance.random() < 0.15
  frame = references[0][0].files["frame-000060.h5"]
  for_newest, for_previous, _ = reference.donors(other, frame)
  newest, previous = reference.newest.copy(), reference.previous.copy()
  done = kind(chance, newest, for_newest, *([place] if is_foreign else []))
  if both:
    done += "; before it: " + kind(chance, previous, for_previous)
  folder = f"round-{number}"
  files = dict(reference.files)
  for generation in (newest, previous):
    files.update(zip(names(generation.step), (generation.data, generation.manifest)))
  write_folder(folder, files)
  faults = info_faults(reference, folder, both) if chance.random() < 0.2 else []
  before = contents(folder)
  ranks = 2 if chance.random() < 0.06 else 1
  code, text = call(ranks, ["run", reference.case, "-o", folder, "--restart",
                            "--steps", str(reference.steps)])
  faults += faults_after_both(reference, folder, code, text, before) if both else \
    faults_after_newest(reference, folder, code, text)
  done = f"round {number}, {ranks} ranks, {len(reference.newest.data)} bytes: {done}"
  if faults:
    return done, "; ".join(faults) + "\n" + text
  shutil.rmtree(folder)
  return done, ""


def plan(rounds):
  """Kind of each round and its number among those of the kind: in the proportions of the campaign,
  of each kind a few at least."""
  total = sum(count for _, count in damage_kinds.KINDS)
  return [(kind, number) for kind, count in damage_kinds.KINDS if KIND in ("", kind.__name__)
          for number in range(rounds if KIND else max(8, round(count * rounds / total)))]


def main():
  counted = Counted("damage")
  references = ((Reference(scene, "scene", 60), Reference(
    scene, "other", 60, ["--set", "solver.tolerance=1e-5"])),
                (Reference(blocks, "blocks", 3), Reference(
                  blocks, "other-blocks", 3, ["--set", "solver.max_sweeps=1"])))
  assert references[0][0].hash != references[0][1].hash
  assert len(references[1][0].newest.data) > 2 * damage_kinds.MANIFEST_BLOCK
  tally = {}
  with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
    jobs = [(kind, pool.submit(attempt, number, kind, place, references))
            for number, (kind, place) in enumerate(plan(ROUNDS)) if number >= FIRST]
    for kind, job in jobs:
      done, fault = job.result()
      counted.check(not fault, f"{done}: {fault}")
      tally[kind.__name__] = tally.get(kind.__name__, 0) + 1
  print("; ".join(f"{name} {count}" for name, count in tally.items()))
  return counted.finish()


sys.exit(main())
