#!/bin/bash
# Clang takes each source file of the program and of the fuzz targets, which are built with it.
# test: needs python3 clang
# test: slow
# test: early
# test: timeout 900
set -u
command -v clang >/dev/null || { echo "clang is not installed"; exit 77; }
exec /usr/bin/python3 - "$(dirname "$1")/compile_commands.json" "$(cd "$(dirname "$0")/.." && pwd -P)" <<'END_OF_PYTHON'
import json
import os
import shlex
import subprocess
import sys

count = failed = 0
with open(sys.argv[1], encoding="utf-8") as file:
  commands = json.load(file)
tests = sys.argv[2] + "/"
for entry in commands:
  file = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
  if file.startswith(tests) and not file.startswith(tests + "fuzz/"):
    continue
  count += 1
  words = ["clang", "-w", "-fsyntax-only", *shlex.split(entry["command"])[1:]]
  failed += subprocess.run(words, cwd=entry["directory"], check=False).returncode != 0
print(f"{count} source files, {failed} that clang does not take")
sys.exit(count == 0 or failed > 0)
END_OF_PYTHON
