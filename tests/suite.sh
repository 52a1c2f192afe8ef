#!/bin/bash
# tests/suite.sh tests|packages [--all]   prints the files that are tests, or the packages they need
#
# The one place that decides which files belong to a suite: the quick one, or with --all all tests.
# CMakeLists.txt makes tests of these files, setup.sh installs what their lines "test: needs" name,
# and those of the files that they use. Sourced, it gives the functions below.

suite_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# suite_tests [--all]: a file a line, relative to the checkout. fuzz/run.sh takes hours: it is for
# people. Jobs are tests of the long suite alone.
suite_tests()
{
  (
    cd "$suite_root" && shopt -s nullglob || exit 1
    files=(tests/unit/test_*.c tests/mpi/test_*.c tests/fuzz/fuzz_*.c)
    for folder in mpi physics quality faults fuzz python paraview bench/peers house; do
      files+=(tests/$folder/*.sh)
    done
    files+=(tests/physics/*.py tests/quality/*.py)
    if [ "${1-}" = --all ]; then
      files+=(jobs/*/*.sh)
    else
      mapfile -t files < <(grep -LE '^(#|//) test: slow( |$)' "${files[@]}")
    fi
    printf '%s\n' "${files[@]}" | grep -vx 'tests/fuzz/run\.sh'
  )
}

# suite_with_helpers FILE...: the files, and what they use of tests/, jobs/, io/python/ and src/docs/, and what
# that uses. A file is used where its name stands, outside comments, or is imported. Among files of
# one name the one beside the user is meant, or the one whose path is written.
suite_with_helpers()
{
  (
    cd "$suite_root" || exit 1
    find tests jobs io/python src/docs -type f \
      \( -name '*.sh' -o -name '*.bash' -o -name '*.sbatch' -o -name '*.py' -o -name '*.[ch]' \) |
      awk -v asked="$*" '
        {
          known[$0] = 1
          name = $0
          sub(/.*\//, "", name)
          named[name] = named[name] " " $0
        }
        # use(FILE): what was not yet used is looked through later
        function use(file)
        {
          if (!(file in known) || file in used) return
          used[file] = 1
          queue[++last] = file
          if (sub(/\.h$/, ".c", file)) use(file)
        }
        # use_named(PATH, FOLDER): of the files with the name of a path as it is written there
        function use_named(path, folder,    name, files, count, k)
        {
          name = path
          sub(/.*\//, "", name)
          if (!(name in named)) return
          if (folder "/" name in known) { use(folder "/" name); return }
          gsub(/^(\.*\/)+/, "", path)
          count = split(named[name], files, " ")
          for (k = 1; k <= count; k++)
            if (files[k] == path || substr(files[k], length(files[k]) - length(path)) == "/" path)
              use(files[k])
        }
        function look_through(file,    folder, line, words, count, k)
        {
          folder = file
          sub(/\/[^\/]*$/, "", folder)
          while ((getline line <file) > 0) {
            if (line ~ /^ *(#( |!|$)|\/\/)/) continue
            sub(/ (#|\/\/) .*/, "", line)
            if (line ~ /^ *(import|from) |import_module\(/) {
              count = split(line, words, /[ ,"()]+/)
              for (k = 1; k <= count; k++) {
                gsub(/\./, "/", words[k])
                use_named(words[k] ".py", folder)
                if (words[k] != "") use_named(words[k] "/__init__.py", folder)
              }
            }
            gsub(/\$({[^}]*}|[A-Za-z0-9_]+)/, "", line)   # folders in variables
            count = split(line, words, /[^A-Za-z0-9_.\/-]+/)
            for (k = 1; k <= count; k++) use_named(words[k], folder)
          }
          close(file)
        }
        END {
          count = split(asked, words, " ")
          for (k = 1; k <= count; k++) use(words[k])
          while (first < last) look_through(queue[++first])
          for (k = 1; k <= last; k++) print queue[k]
        }'
  )
}

# suite_needs FILE...: the packages that the lines "test: needs" of these very files name, one a line
suite_needs() { sed -nE 's,^(#|//) test: needs +,,p' "$@" | tr -s ' ' '\n' | sort -u; }

# suite_packages [--all]: what the tests and all that they use need
suite_packages()
{
  local files
  mapfile -t files < <(suite_tests "$@")
  mapfile -t files < <(suite_with_helpers "${files[@]}")
  (cd "$suite_root" && suite_needs "${files[@]}")
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  case "${1-} ${2-}" in
  "tests " | "tests --all" | "packages " | "packages --all") "suite_$1" "${@:2}" ;;
  *) echo "usage: suite.sh tests|packages [--all]" >&2; exit 2 ;;
  esac
fi
