"""needs.py ROOT TABLE: what needs.sh says of the files below ROOT.

A program whose name is put together while a script runs is not seen.
"""
# test: needs python3

import ast
import os
import re
import subprocess
import sys

from shell_words import Script

KINDS = ("program", "import", "header", "key")
EVERYWHERE = {"minimal", "build", "batch"}   # instead of packages
IMPORT = re.compile(r"(?:^|['\"]) *(?:import +([\w., ]+)|from +([\w.]+) +import )", re.M)
NEEDS = re.compile(r"^(?:#|//) test: needs +(.*)$", re.M)


def read_table(path):
  """packages of (kind, name), as a tuple."""
  table = {}
  with open(path, encoding="utf-8") as file:
    for number, line in enumerate(file, 1):
      words = line.split()
      if not words or line.startswith("#"):
        continue
      if len(words) < 3 or words[1] not in KINDS:
        sys.exit(f"{path}:{number}: packages, one of {', '.join(KINDS)}, and names are needed")
      for name in words[2:]:
        table[words[1], name] = tuple(words[0].split(","))
  return table


def modules(text):
  """Modules of Python that a text imports, whatever language is around it."""
  names = set()
  for plain, whole in IMPORT.findall(text):
    names.update(part.split()[0].split(".")[0] for part in (plain or whole).split(",")
                 if part.split())
  return names


def called(tree):
  """Programs that Python code names as the first word of a command."""
  for node in ast.walk(tree):
    is_call = isinstance(node, ast.Call) and node.args
    if is_call and ast.unparse(node.func).startswith("subprocess."):
      words = getattr(node.args[0], "elts", None)
      if words and isinstance(words[0], ast.Constant):
        yield words[0].value


class Use:
  """What a file uses: pairs of kind and name. Names that are no uses if unknown are left out."""

  def __init__(self, path, table, folder):
    with open(path, encoding="utf-8", errors="replace") as file:
      self.text = file.read()
    self.table, self.pairs, self.functions = table, set(), set()
    self.bare = re.sub(r"^ *(#|//).*$", "", self.text, flags=re.M)
    if path.endswith(".py"):
      self.read_python(folder)
    elif re.search(r"\.(c|h|cpp)$", path):
      self.read_c()
    else:
      self.read_shell(folder)

  def name_keys(self, folder):
    """Keys of cases that are written in the file, or in a case of the tree that it names."""
    cases = set(re.findall(r"[\w-]+\.yaml\b", self.bare)) & set(folder["cases"])
    for text in [self.bare] + [folder["cases"][name] for name in cases]:
      self.pairs.update(("key", key) for kind, key in self.table
                        if kind == "key" and re.search(rf"\b{key}[\"']?: *[\"'{{\w]", text))

  def name_programs(self, names):
    """Names that stand anywhere are programs if a package has one of that name."""
    for name in names:
      name = re.sub(r"^/usr/s?bin/", "", name)
      if not EVERYWHERE.intersection(self.table.get(("program", name), EVERYWHERE)):
        self.pairs.add(("program", name))

  def name_modules(self, names, folder):
    for name in names - {"__future__"}:
      if name not in folder["modules"] and name not in sys.stdlib_module_names:
        self.pairs.add(("import", name))

  def read_python(self, folder):
    tree = ast.parse(self.text)
    self.name_keys(folder)
    self.pairs.add(("program", "python3"))
    self.name_modules(modules(self.bare), folder)
    self.name_programs(node.value for node in ast.walk(tree)
                       if isinstance(node, ast.Constant) and isinstance(node.value, str))
    self.pairs.update(("program", name) for name in called(tree) if "/" not in name)

  def read_c(self):
    self.pairs.update(("header", name)
                      for name in re.findall(r"^#include <(.*)>", self.text, re.M))
    self.name_programs(re.findall(r'"([\w+-]+)"', self.bare))

  def read_shell(self, folder):
    script = Script(self.text)
    self.name_keys(folder)
    self.functions = script.functions
    self.name_modules(modules(self.bare), folder)
    self.name_programs(script.words)
    for command in script.commands:
      command = re.sub(r"^(/usr)?/s?bin/", "", command)
      if "/" not in command and command not in folder["builtins"]:
        self.pairs.add(("program", command))


def find_files(root, pattern):
  for top in ("tests", "jobs", "io/python", "src/docs"):
    for folder, _, names in os.walk(os.path.join(root, top)):
      for name in names:
        if re.search(pattern, name):
          yield os.path.join(folder, name)


def read_cases(root):
  """Texts of the case files of the tree by their names; those of one name together."""
  texts = {}
  for path in find_files(root, r"\.yaml$"):
    with open(path, encoding="utf-8", errors="replace") as file:
      texts[os.path.basename(path)] = texts.get(os.path.basename(path), "") + file.read()
  return texts


def main():
  root, table_path = sys.argv[1:]
  table = read_table(table_path)
  files = sorted(find_files(root, r"\.(sh|bash|sbatch|py|c|h|cpp)$"))
  builtins = subprocess.run(["bash", "-c", "compgen -b -k"], stdout=subprocess.PIPE, check=True,
                            text=True).stdout
  modules_here = {os.path.basename(path)[:-3] for path in files if path.endswith(".py")}
  modules_here |= {os.path.basename(os.path.dirname(path)) for path in files
                   if path.endswith("/__init__.py")}
  folder = {"modules": modules_here,
            "builtins": set(builtins.split()) | {":"}, "cases": read_cases(root)}
  uses = {path: Use(path, table, folder) for path in files}
  functions = set().union(*(use.functions for use in uses.values()))
  failures = count = 0
  for path, use in uses.items():
    named, needed = set(" ".join(NEEDS.findall(use.text)).split()), set()
    for kind, name in sorted(use.pairs):
      if kind == "program" and name in functions:
        continue
      count += 1
      packages = set(table.get((kind, name), ()))
      needed |= packages
      if not packages or not packages <= named | EVERYWHERE:
        failures += 1
        print(f"{os.path.relpath(path, root)}: {kind} {name}: " + (
              f"say it in a line 'test: needs {' '.join(sorted(packages))}'" if packages else
              f"which package has it? {os.path.basename(table_path)} does not say"))
    for package in sorted(named - needed):
      if not re.search(rf"(?<![\w-]){re.escape(package)}(?![\w-])", NEEDS.sub("", use.bare)):
        failures += 1
        print(f"{os.path.relpath(path, root)}: needs {package}, and uses nothing of it")
  print(f"{count} uses in {len(files)} files, {failures} failures")
  return failures > 0 or not files


if __name__ == "__main__":
  sys.exit(main())
