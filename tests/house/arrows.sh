#!/bin/bash
# house/arrows.sh   a module names just the modules that it includes headers of
#
# ARROWS names a file with a line per module, in the order of CMakeLists.txt: name, folder, modules
# that its headers use, modules that its sources alone use; tabs between them, blanks within.
set -u

awk -F '\t' '
  function words(text, into,    list, n, i) {
    n = split(text, list, " ")
    for (i = 1; i <= n; i++) into[list[i]] = 1
  }
  function includes(folder, pattern, into,    command, line, header) {
    command = "cat " quoted(folder) "/*." pattern " 2>/dev/null"
    while ((command | getline line) > 0)
      if (match(line, /^#include "[^"]+"/)) {
        header = substr(line, 11, RLENGTH - 11)
        if (header in home) into[home[header]] = 1
      }
    close(command)
  }
  function fail(text) { print text; failed = 1 }
  function quoted(text) { return "\047" text "\047" }
  function compare(named, found, name, what,    m) {
    for (m in found)
      if (!(m in named)) fail(name ": " what " include headers of " m ", which it does not name")
    for (m in named)
      if (!(m in found)) fail(name ": names " m ", of which its " what " include nothing")
  }
  {
    count++
    module[count] = $1
    folder[count] = $2
    uses[count] = $3
    with[count] = $4
    command = "ls " quoted($2) "/*.h 2>/dev/null"
    while ((command | getline path) > 0) {
      sub(/.*\//, "", path)
      if (path in home) fail(path " is in " home[path] " and in " $1)
      home[path] = $1
    }
    close(command)
  }
  END {
    if (count == 0) {print "no modules"; exit 1}
    for (i = 1; i <= count; i++) {
      split("", named); split("", found); split("", alone); split("", sources); split("", rest)
      words(uses[i], named)
      includes(folder[i], "h", found)
      delete found[module[i]]
      compare(named, found, module[i], "headers")
      words(with[i], alone)
      includes(folder[i], "c", sources)
      delete sources[module[i]]
      for (m in sources) if (!(m in found)) rest[m] = 1
      compare(alone, rest, module[i], "sources")
      for (m in named) if (m in alone) fail(module[i] ": names " m " twice")
      for (m in named) if (!(m in above)) fail(module[i] ": " m " does not stand above it")
      for (m in alone) if (!(m in above)) fail(module[i] ": " m " does not stand above it")
      above[module[i]] = 1
    }
    print count " modules"
    exit failed
  }' "$ARROWS"
