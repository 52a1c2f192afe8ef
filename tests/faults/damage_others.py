#!/usr/bin/env python3
# Damages what stands beside the checkpoints of a run and restarts it. Either the run ends as the
# one that nothing happened to, saying what it could not repair, or it does not begin and says why.
# Calls: damage_others.py PROGRAM MPIRUN SCENE
# test: needs python3
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import damage_runs
from counted import Counted
from damage_runs import Reference, contents, names, physics, write_folder

program, mpirun, scene = sys.argv[1:4]
READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "io", "python")
STOP, END = 60, 62   # steps of the damaged run, and of that which goes on
FRAMES = ["frame-000000.h5", "frame-000010.h5", "frame-000060.h5"]
H5, MANIFEST = names(STOP)


def call(ranks, words):
  return damage_runs.call(program, mpirun, ranks, words)


def set_file(name, content):
  return lambda files, folder: files.update({name: content})


def edit(name, change):
  return lambda files, folder: files.update({name: change(files[name])})


def without_line(number):
  return lambda text: b"".join(line for i, line in enumerate(text.splitlines(True)) if i != number)


def with_line(number, new):
  def change(text):
    lines = text.splitlines(True)
    return b"".join(lines[:number] + [new or lines[number]] + lines[number:])
  return change


def short_line(text):
  lines = text.splitlines(True)
  lines[30] = b",".join(lines[30].split(b",")[:20]) + b"\n"
  return b"".join(lines)


def in_place(name, make):
  """Something that is no file, under a name."""
  def damage(files, folder):
    files[name] = None
    return lambda: make(os.path.join(folder, name))
  return damage


def link_to_nothing(path):
  os.symlink("nothing-there", path)


def link_to_itself(path):
  os.symlink(os.path.basename(path), path)


GAPS = "history.csv is damaged: it has no lines of {} of the steps up to 60, the first is {}"

# what is done; what must be said (None: nothing of damage); whether the history is whole afterwards
REPAIRED = (
  ("nothing at all", lambda files, folder: None, None, True),
  ("history cut in its last line", edit("history.csv", lambda text: text[:-40]),
   GAPS.format(1, 60), False),
  ("history cut in half", edit("history.csv", lambda text: text[:len(text) // 2]),
   r"no lines of \d+ of the steps up to 60", False),
  ("history without a line", edit("history.csv", without_line(20)), GAPS.format(1, 20), False),
  ("history with a line of garbage", edit("history.csv", with_line(20, b"\xff\0garbage\n")),
   None, True),
  ("history with a line twice", edit("history.csv", with_line(20, b"")),
   "history.csv is damaged: 1 line is of a step told of before, the first of step 20", False),
  ("history with a short line", edit("history.csv", short_line),
   r"history.csv is damaged: 1 line has not the \d+ fields .* step 30", False),
  ("history with lines of the future", edit(
    "history.csv", lambda text: text + b"61,0,0\n62,1,1\n999,1,1\n"), None, True),
  ("no history", set_file("history.csv", None), GAPS.format(60, 1), False),
  ("empty history", set_file("history.csv", b""), GAPS.format(60, 1), False),
  ("zeros for a history", edit("history.csv", lambda text: bytes(len(text))),
   GAPS.format(60, 1), False),
  ("no removed bodies", set_file("removed.csv", None),
   "removed.csv is damaged: it has 0 lines, and there were 1 to tell of", True),
  ("removed bodies cut", edit("removed.csv", lambda text: text[:-9]),
   "removed.csv is damaged: it has 0 lines, and there were 1 to tell of", True),
  ("removed bodies twice", edit("removed.csv", with_line(1, b"")),
   "removed.csv is damaged: it has 2 lines, and there were 1 to tell of", True),
  ("no XDMF", set_file("bodies.xmf", None), None, True),
  ("garbage for XDMF", set_file("contacts.xmf", b"<garbage"), None, True),
  ("unfinished files", lambda files, folder: files.update({
    "checkpoint-000000061.h5.tmp": b"x", "bodies.xmf.tmp": b"", "frame-000061.h5.tmp": b"y"}),
   None, True),
  ("frames and counts of a future", lambda files, folder: files.update({
    "frame-000070.h5": files[FRAMES[2]], "ranks-000061.h5": files["ranks-000001.h5"]}), None, True),
  ("a frame cut", edit(FRAMES[1], lambda data: data[:5000]), "left out of the XDMF.*" + FRAMES[1],
   True),
  ("an empty frame", set_file(FRAMES[1], b""), "left out of the XDMF.*" + FRAMES[1], True),
  ("a frame that is a text", set_file(FRAMES[1], b"frame\n" * 99), "left out of the XDMF.*" +
   FRAMES[1], True),
  ("a checkpoint for a frame", lambda files, folder: files.update({FRAMES[1]: files[H5]}),
   "left out of the XDMF.*" + FRAMES[1] + ".*checkpoint", True),
  ("a frame that is a folder", in_place(FRAMES[1], os.mkdir), "left out of the XDMF.*" + FRAMES[1],
   True),
  ("a frame that is a pipe", in_place(FRAMES[1], os.mkfifo), "left out of the XDMF.*" + FRAMES[1],
   True),
  ("a frame that is a link to nothing", in_place(FRAMES[1], link_to_nothing),
   "left out of the XDMF.*" + FRAMES[1], True),
  ("counts cut", edit("ranks-000001.h5", lambda data: data[:-3000]),
   "ranks-000001.h5 cannot be cut back|$", True),
  ("counts that are a text", set_file("ranks-000001.h5", b"ranks\n"),
   "ranks-000001.h5 cannot be cut back", True),
  ("a lock with a text", set_file("lock", b"somebody"), None, True),
  ("data that are a pipe", in_place(H5, os.mkfifo), "step 60 is damaged.*" + H5, True),
  ("data that are a link to nothing", in_place(H5, link_to_nothing), "step 60 is damaged.*" + H5,
   True),
  ("data that are a link in a circle", in_place(H5, link_to_itself), "step 60 is damaged.*" + H5,
   True),
  ("a manifest that is a pipe", in_place(MANIFEST, os.mkfifo), "step 60 is damaged.*" + MANIFEST,
   True),
  ("a manifest that is a device", in_place(MANIFEST, lambda path: os.symlink("/dev/zero", path)),
   "step 60 is damaged.*" + MANIFEST, True),
)

# what is done; the exit code; what is said
REFUSED = (
  ("history that is a folder", in_place("history.csv", os.mkdir), 4, "history.csv"),
  ("history that is a pipe", in_place("history.csv", os.mkfifo), 4, "history.csv"),
  ("data that are a folder", in_place(H5, os.mkdir), 4, H5),
  ("a manifest that is a folder", in_place(MANIFEST, os.mkdir), 4, MANIFEST),
  ("a lock that is a folder", in_place("lock", os.mkdir), 4, "lock"),
)


def make_folder(folder, files, damage):
  """A folder of results with a damage; what it holds."""
  files = dict(files)
  finish = damage(files, folder)
  write_folder(folder, files)
  if finish:
    finish()
  return contents(folder)


def restart(folder):
  return call(1, ["run", scene, "-o", folder, "--restart", "--steps", str(END)])


def check_repaired(counted, base, reference, number, experiment):
  what, damage, said, whole = experiment
  folder = f"repaired-{number}"
  make_folder(folder, base, damage)
  code, text = restart(folder)
  counted.check(code == 0 and f"step {END} hash {reference.hash}" in text,
                f"{what}: {code}\n{text}")
  if said is None:
    counted.check("damaged" not in text, f"{what}: damage is told of\n{text}")
  else:
    counted.check(re.search(said, text), f"{what}: '{said}' is not said\n{text}")
  if code != 0:
    return
  files = contents(folder)
  if whole:
    counted.check(physics(files["history.csv"]) == reference.physics, f"{what}: another history")
  lines = files["history.csv"].decode("utf-8", "replace").splitlines()
  counted.check(lines[-1].startswith("62,") and lines[-2].startswith("61,"),
                f"{what}: the history does not go on")
  counted.check(not any(name.endswith(".tmp") or name > "frame-000060.h5" > name[:5] + "~"
                        for name in files), f"{what}: leftovers {sorted(files)}")
  frames = {name for name in reference.files if name.startswith("frame-")}
  counted.check({name for name in os.listdir(folder) if name.startswith("frame-")} == frames,
                f"{what}: other frames")
  listed = set(re.findall(r"frame-\d+\.h5", files["bodies.xmf"].decode()))
  left_out = {FRAMES[1]} if said and FRAMES[1] in said else set()
  counted.check(listed == frames - left_out, f"{what}: bodies.xmf lists {listed}")
  code, text = call(1, ["info", "--hash", folder])
  counted.check(code == 0 and text.strip().endswith(reference.hash), f"{what}: info says {text}")
  shutil.rmtree(folder)


def check_refused(counted, base, number, experiment):
  what, damage, expected, said = experiment
  folder = f"refused-{number}"
  before = make_folder(folder, base, damage)
  code, text = restart(folder)
  counted.check(code == expected and re.search(said, text), f"{what}: {code}\n{text}")
  after = contents(folder)
  counted.check(all(before[name] == after.get(name) for name in names(STOP - 1)),
                f"{what}: the generation before has changed")
  shutil.rmtree(folder)


def check_mesh(counted, base, reference):
  """The case's mesh, and what the cache of fillings keeps of it."""
  cache = os.path.join(os.environ["XDG_CACHE_HOME"], "drystone", "tetra1")
  kept = [os.path.join(cache, name) for name in os.listdir(cache)]
  counted.check(len(kept) == 1, f"kept in the cache: {kept}")
  with open(kept[0], "rb") as file:
    whole = file.read()
  half = len(whole) // 2
  damages = (whole[:half], b"", whole[:half] + bytes([whole[half] ^ 4]) + whole[half + 1:],
             b"garbage\n" * 50, whole + whole)
  for content in damages:
    with open(kept[0], "wb") as file:
      file.write(content)
    write_folder("meshed", base)
    code, text = restart("meshed")
    counted.check(code == 0 and f"step {END} hash {reference.hash}" in text,
                  f"{len(content)} bytes kept in the cache: {code}\n{text}")
  with open("l.obj", "rb") as file:
    mesh = file.read()
  for content, said in ((None, "l.obj"), (b"", "l.obj"), (mesh[:60], "l.obj")):
    os.remove("l.obj")
    if content is not None:
      write_mesh(content)
    write_folder("meshed", base)
    code, text = restart("meshed")
    counted.check(code == 2 and said in text, f"a mesh that is damaged: {code}\n{text}")
    counted.check(contents("meshed") == base, "a mesh that is damaged: the folder has changed")
    write_mesh(mesh)


def write_mesh(content):
  with open("l.obj", "wb") as file:
    file.write(content)


def check_reader(counted, base):
  """The reader for Python: a sentence with the file's name for each damage."""
  script = "import sys, drystone; r = drystone.open(sys.argv[1]); " \
    "print(len(r.frames), len(r.removed()['id']), len(r.ranks())); r.bodies(); r.mesh()"
  environment = dict(os.environ, PYTHONPATH=READER, PYTHONDONTWRITEBYTECODE="1")
  for what, name, content in (
      ("a frame cut", FRAMES[1], base[FRAMES[1]][:5000]), ("an empty frame", FRAMES[1], b""),
      ("a frame that is a text", FRAMES[1], b"frame\n" * 99),
      ("a checkpoint for a frame", FRAMES[1], base[H5]),
      ("counts cut", "ranks-000001.h5", base["ranks-000001.h5"][:-3000]),
      ("counts that are a text", "ranks-000001.h5", b"counts"),
      ("removed bodies cut", "removed.csv", base["removed.csv"][:-60]),
      ("an empty table", "removed.csv", b"")):
    write_folder("read", dict(base, **{name: content}))
    done = subprocess.run([sys.executable, "-c", script, "read"], env=environment, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    text = done.stderr.decode("utf-8", "replace")
    told = text.strip().splitlines()[-1] if text.strip() else ""
    counted.check(name in text and "read/" in text and done.returncode in (0, 1) and
                  (done.returncode == 0 or "drystone.DamagedError" in told and name in told),
                  f"reader, {what}: {done.returncode} {text}")


def main():
  counted = Counted("damage_others")
  first = Reference(call, scene, "base", STOP)
  reference = Reference(call, scene, "whole", END)
  for number, experiment in enumerate(REPAIRED):
    check_repaired(counted, first.files, reference, number, experiment)
  for number, experiment in enumerate(REFUSED):
    check_refused(counted, first.files, number, experiment)
  check_mesh(counted, first.files, reference)
  check_reader(counted, first.files)
  return counted.finish()


sys.exit(main())
