#!/bin/bash
# What `cmake --install` puts under a prefix works from there: program, report, page for man, completion, Python
# package, jobs; and it is all that is there.
# test: needs python3 python3-h5py python3-numpy python3-matplotlib man-db
# test: slow
# test: installs
# test: ranks 2
set -u
build=$(cd "$(dirname "$1")" && pwd)
python=/usr/bin/python3
"$python" -c 'import h5py, numpy, matplotlib' 2>/dev/null || { echo "python3-matplotlib is not installed"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=$PWD/matplotlib
failures=0
# expect TEXT COMMAND...: the command succeeds
expect()
{
  "${@:2}" >said.txt 2>&1 && return
  echo "FAILED  $1: $(head -n 3 said.txt)"
  failures=$((failures + 1))
}
rm -rf prefix results ./*.txt
mkdir -p matplotlib
cmake --install "$build" --prefix "$PWD/prefix" >install.txt || { tail -n 5 install.txt; exit 1; }
cd prefix || exit 1
program=$PWD/bin/drystone

# -- what is there: nothing of the build, and no caches
find . \( -type f -o -type l \) | sed 's,^\./,,' | sort >../files.txt
expect "no file of a build" [ -z "$(grep -E '\.(o|a|pyc|tmp)$|__pycache__|results/' ../files.txt)" ]
for file in bin/drystone share/man/man1/drystone.1 share/bash-completion/completions/drystone \
  share/zsh/vendor-completions/_drystone include/drystone.h share/drystone/jobs/library/push.c \
  lib/python3/dist-packages/drystone/__init__.py \
  share/drystone/jobs/arch/arch.yaml share/drystone/jobs/slurm/study.py; do
  expect "$file is installed" [ -s "$file" ]
done
for text in README.md io/README.md io/FORMATS.md src/README.md src/CHANGELOG.md src/docs/howto.md \
  src/docs/tutorials/arch.md jobs/README.md jobs/silo/README.md tests/README.md; do
  expect "the text $text" cmp "share/doc/drystone/$text" "$build/../$text"
done
# links between texts, but for pages that src/docs/build.py makes and for sources
cat >../links.py <<'END'
import glob
import os
import re
texts = glob.glob("share/doc/drystone/**/*.md", recursive=True)
links = {(text, link) for text in texts
         for link in re.findall(r"\]\(([^)#\s]+)", open(text, encoding="utf-8").read())
         if "://" not in link and os.path.basename(link) not in ("keys.md", "gallery.md", "drystone.h")}
lost = [(text, link) for text, link in sorted(links)
        if not os.path.exists(os.path.normpath(os.path.join(os.path.dirname(text), link)))]
assert len(texts) > 35 and len(links) > 60 and not lost, (len(texts), len(links), lost)
END
expect "texts that lead to texts" "$python" ../links.py
expect "each module of the package" cmp <(cd "$build/../io/python" && find drystone -name '*.py' | sort) \
  <(cd lib/python3/dist-packages && find drystone -name '*.py' | sort)

# -- it works from there, without the checkout's paths
cd .. || exit 1
expect "a job" env -u DRYSTONE RESULTS="$PWD/results" bash prefix/share/drystone/jobs/arch/run.sh 2
expect "the report of it" "$program" report results
expect "is a page" grep -q "line of thrust" results/report.html
cat >line.py <<'END'
import drystone
line = drystone.open("results").thrust_line("arch")
assert len(line["point"]) == 28, len(line["point"])
assert drystone.find_program() == "PROGRAM", drystone.find_program()
assert "/prefix/" in drystone.__file__
END
sed -i "s,PROGRAM,$program," line.py
expect "the Python package" env -u DRYSTONE \
  PYTHONPATH="$PWD/prefix/lib/python3/dist-packages" "$python" line.py

# -- completion is the one that python.completion tries
for shell in bash:bash-completion/completions/drystone zsh:zsh/vendor-completions/_drystone; do
  "$program" help --completion "${shell%%:*}" >completion.txt
  expect "completion of ${shell%%:*}" cmp completion.txt "prefix/share/${shell#*:}"
done

# -- the page for man says what the help does
expect "options in the page" grep -q '^.BI \\-\\-hash\\-log' prefix/share/man/man1/drystone.1
expect "man finds no fault in it" [ -z "$(man --warnings -l prefix/share/man/man1/drystone.1 2>&1 >/dev/null)" ]

# -- what was installed is listed, and its removal leaves nothing
sed "s,^$PWD/prefix/,," "$build/install_manifest.txt" | sort >manifest.txt
expect "the manifest is complete" cmp manifest.txt files.txt
[ "$failures" -eq 0 ]
