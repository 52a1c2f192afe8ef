#!/bin/bash
# The documentation is made without a warning: every key of the reader is described, all links lead somewhere, and the
# gallery has a picture, numbers as expected and a run time of each of its 21 cases
# test: needs furo python3-myst-parser python3-sphinx
# test: needs paraview xauth xvfb python3
# test: slow
# test: early
# test: ranks 2
# test: timeout 1800
set -u
program=$(realpath "$1")
docs=$(cd "$(dirname "$0")/../../src/docs" && pwd)
python=/usr/bin/python3
"$python" -c 'import furo, myst_parser, sphinx' 2>/dev/null || { echo "python3-myst-parser is not installed"; exit 77; }
for tool in pvbatch xvfb-run; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
export PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=$PWD/matplotlib
mkdir -p matplotlib
rm -rf docs
fail() { echo "FAILED  $*"; exit 1; }

# results of the jobs' tests, which lie beside, serve the gallery
"$python" "$docs/build.py" docs --program "$program" --jobs "$(dirname "$PWD")" || fail "the documentation is not made"
html=docs/html/src/docs
for page in index keys gallery words howto tutorials/arch tutorials/settlement tutorials/fragility tutorials/ballast; do
  [ -s "$html/$page.html" ] || fail "there is no page $page"
done
pictures=$(find docs/html/_images -name '*.png' | wc -l)
[ "$pictures" -ge 21 ] || fail "only $pictures pictures"
keys=$(grep -c '^| `' docs/source/src/docs/keys.md)
[ "$keys" -ge "$("$program" help --keys | wc -l)" ] || fail "only $keys keys"

# a key that nobody describes, or that no reader knows, is found
"$python" - "$docs" "$program" <<'END' || fail "a table of keys with holes passes"
import os
import shutil
import sys
sys.path.insert(0, sys.argv[1])
import keys
docs, program = sys.argv[1:]
with open(os.path.join(docs, "../../io/README.md"), encoding="utf-8") as file:
    text = file.read()
wrong = text.replace("`time.until.every`", "`time.until.evry`")
lost = keys.unknown(program, sorted(set(keys.described(wrong)) - set(keys.described(text))))
assert lost == ["time.until.evry"], lost
os.makedirs("holes/io", exist_ok=True)
with open("holes/io/README.md", "w", encoding="utf-8") as file:
    file.write(text.replace("tangential_damping", "tangential_damp"))
try:
    keys.page(program, "holes")
except keys.KeyTableError as error:
    assert "contacts.*.tangential_damping" in str(error), error
else:
    sys.exit("a key without words passes")
shutil.rmtree("holes")
END
echo "$pictures pictures, $keys keys"
