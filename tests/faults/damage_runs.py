"""What tests of damaged results share: runs of the program, folders as dicts of bytes."""
# test: needs python3
import os
import re
import shutil
import subprocess
import tempfile

import damage_kinds

# a rank alone is started without mpirun, which takes most of the time otherwise; with a temporary
# folder of its own, for that of Open MPI is removed by the first of several that ends
ALONE = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
             OMPI_MCA_ess_singleton_isolated="1")
TIME_LIMIT = 120   # s; a run that takes longer hangs
PHYSICS = 40   # columns of the history that belong to the state


def call(program, mpirun, ranks, words):
  """Exit code and all output of the program; code None: it did not end."""
  command = [program] + words if ranks == 1 else [mpirun, str(ranks), program] + words
  with tempfile.TemporaryDirectory() as own:
    try:
      alone = dict(ALONE, TMPDIR=own, OMPI_MCA_orte_tmpdir_base=own)
      done = subprocess.run(command, env=alone if ranks == 1 else None,
                            timeout=TIME_LIMIT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False)
    except subprocess.TimeoutExpired as late:
      return None, str(late)
  return done.returncode, done.stdout.decode("utf-8", "replace")


def names(step):
  return f"checkpoint-{step:09d}.h5", f"checkpoint-{step:09d}.manifest"


def contents(folder):
  """Bytes of all files but the lock."""
  found = {}
  for name in os.listdir(folder):
    if name != "lock" and os.path.isfile(os.path.join(folder, name)):
      with open(os.path.join(folder, name), "rb") as file:
        found[name] = file.read()
  return found


def physics(history):
  return [line.split(",")[:PHYSICS] for line in history.decode("utf-8", "replace").splitlines()]


def write_folder(folder, files):
  shutil.rmtree(folder, ignore_errors=True)
  os.makedirs(folder)
  for name, content in files.items():
    if content is not None:
      with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


class Reference:
  """A run in which nothing happens, on 2 ranks, with its last two generations."""

  def __init__(self, run, case, folder, steps, more=()):
    self.case, self.steps = case, steps
    shutil.rmtree(folder, ignore_errors=True)
    code, text = run(2, ["run", case, "-o", folder, "--steps", str(steps), *more])
    assert code == 0, text
    self.hash = re.search(rf"^step {steps} hash (\w+)$", text, re.M).group(1)
    self.files = contents(folder)
    self.newest, self.previous = self.generation(steps), self.generation(steps - 1)
    self.physics = physics(self.files["history.csv"])

  def generation(self, step):
    return damage_kinds.Generation(step, *(self.files[name] for name in names(step)))

  def donors(self, other, frame):
    """For the newest generation and for the one before it."""
    common = {"frame": frame, "small": len(self.newest.data) < 1 << 20}
    return (damage_kinds.Donors(self.previous, other.newest, **common),
            damage_kinds.Donors(self.newest, other.previous, **common))
