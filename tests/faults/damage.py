#!/usr/bin/env python3
# Damages checkpoints in about DAMAGE_ROUNDS ways (80; a campaign takes 1700) and restarts. A
# damaged generation is named, with its file, the one before it is taken, and the end of the run has
# the hash of the run that nothing happened to; where both are damaged the run ends with exit code 4
# and leaves the folder as it was. Calls: damage.py PROGRAM MPIRUN SCENE BLOCKS
# test: needs python3
import concurrent.futures
import os
import random
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import damage_kinds
import damage_runs
from counted import Counted
from damage_runs import Reference, contents, names, physics, write_folder

ROUNDS = int(os.environ.get("DAMAGE_ROUNDS", 80))
SEED = int(os.environ.get("DAMAGE_SEED", 1))
FIRST = int(os.environ.get("DAMAGE_FIRST", 0))   # number of the round to begin with
KIND = os.environ.get("DAMAGE_KIND", "")         # one kind alone
WORKERS = int(os.environ.get("DAMAGE_WORKERS", 4))
program, mpirun, scene, blocks = sys.argv[1:5]


def call(ranks, words):
  return damage_runs.call(program, mpirun, ranks, words)


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
  if physics(files["history.csv"]) != reference.physics:
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


def info_faults(reference, folder):
  """What is wrong with what drystone info says of a damaged folder."""
  before = contents(folder)
  code, text = call(1, ["info", folder])
  faults = []
  if code != 4:
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
  for_newest, for_previous = reference.donors(other, frame)
  newest, previous = reference.newest.copy(), reference.previous.copy()
  done = kind(chance, newest, for_newest, *([place] if is_foreign else []))
  if both:
    done += "; before it: " + kind(chance, previous, for_previous)
  folder = f"round-{number}"
  files = dict(reference.files)
  for generation in (newest, previous):
    files.update(zip(names(generation.step), (generation.data, generation.manifest)))
  write_folder(folder, files)
  faults = info_faults(reference, folder) if chance.random() < 0.2 else []
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
          for number in range(rounds if KIND else max(min(8, rounds // 10),
                                                     round(count * rounds / total)))]


def main():
  counted = Counted("damage")
  # each with another run of the same case, whose files fit as well and are not its own
  references = (
    (Reference(call, scene, "scene", 60),
     Reference(call, scene, "other", 60, ["--set", "solver.tolerance=1e-5"])),
    (Reference(call, blocks, "blocks", 3),
     Reference(call, blocks, "other-blocks", 3, ["--set", "solver.max_sweeps=1"])))
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
