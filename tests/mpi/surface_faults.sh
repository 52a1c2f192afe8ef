#!/bin/bash
# Surfaces that are no bodies of the model lmd: open, not manifold, crossing themselves, flat, not finite, or turned
# inside out when they are moved inwards. Each has one message with body and triangle, counted from 1 in the order of
# the file, and a dilation that it names is accepted.
# test: needs python3 tetgen
# test: ranks 2
program="$1"
failures=0

fail()
{
  echo "failed: $*"
  failures=$((failures + 1))
}

/usr/bin/python3 - <<'PYTHON' || exit 1
import struct


def write(name, points, faces):
    with open(name, "w") as f:
        f.writelines("v %.17g %.17g %.17g\n" % p for p in points)
        f.writelines("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces)


def box(low, high):
    points = [(x, y, z) for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])]
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return points, [t for s in sides for t in ((s[0], s[1], s[2]), (s[0], s[2], s[3]))]


def stl(name, points, faces):
    with open(name, "wb") as f:
        f.write(b" " * 80 + struct.pack("<I", len(faces)))
        for face in faces:
            f.write(struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in points[i]), 0))


cube, faces = box((0, 0, 0), (1, 1, 1))
write("open.obj", cube, faces[:6] + faces[7:])
write("fin.obj", cube + [(0.5, 0.5, 2)], faces + [(0, 1, 8)])
# two cubes that share an edge
other = [(x + 1, y, z + 1) for x, y, z in cube]
both = cube + [p for p in other if p not in cube]
write("edge.obj", both, faces + [tuple(both.index(other[i]) for i in f) for f in faces])
# the top of a cube goes through its bottom
write("crossing.obj", [p if i < 4 or i == 7 else (p[0], p[1], 0.5) for i, p in enumerate(cube[:7] + [(0.3, 0.3, -1)])],
      faces)
tips = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 4e-10), (0, 0, -4e-10)]
write("flat.obj", tips, [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)])
write("far.obj", cube[:7] + [(1, 1, 1e12)], faces)
stl("nan.stl", cube[:7] + [(1, 1, float("nan"))], faces)
# the projective plane: closed, and without an inside
write("moebius.obj", [(0, 0, 0), (1, 0, 0.5), (0, 1, 0.25), (0, 0, 1), (1, 1, 0), (1, 1, 1)],
      [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5), (0, 5, 1), (1, 2, 4), (2, 3, 5), (3, 4, 1), (4, 5, 2), (5, 1, 3)])
# sound, and refused when they are moved inwards: a plate, behind a block in one file, and a pit whose tip is near the
# bottom
plate, _ = box((0, 0, 0), (4, 4, 0.01))
block = [(x + 9, y, z) for x, y, z in cube]
write("plate.obj", block + plate, faces + [tuple(i + 8 for i in f) for f in faces])
pit = [(2 if k % 4 in (1, 2) else -2, 2 if k % 4 >= 2 else -2, 0 if k < 4 else 1) for k in range(8)]
pit += [(pit[k][0] / 2, pit[k][1] / 2, 1) for k in range(4)] + [(0, 0, 0.03)]
sides = [(0, 2, 1), (0, 3, 2)]
for k in range(4):
    n = (k + 1) % 4
    sides += [(k, n, 4 + n), (k, 4 + n, 4 + k), (4 + k, 4 + n, 8 + n), (4 + k, 8 + n, 8 + k), (8 + k, 8 + n, 12)]
write("pit.obj", pit, sides)
PYTHON

# A case with one mesh: file, dilation.
write_case()
{
  cat >case.yaml <<YAML
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 2e-3}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone], friction: 0.6}]
contact: {model: lmd, lmd: {dilation: $2}}
bodies:
  - {mesh: {file: $1, surface: true}, material: stone, name: boulder}
YAML
}

# One line with all of the words.
refused()
{
  local words="$2" word
  write_case "$1" "${3:-5e-3}"
  "$program" check case.yaml >said.txt 2>said.err
  local code=$?
  [ "$code" = 2 ] || fail "$1: exit code $code"
  [ "$(wc -l <said.err)" = 1 ] || fail "$1: $(wc -l <said.err) lines"
  for word in "body 'boulder" $words; do
    grep -qF -- "${word//_/ }" said.err || fail "$1: no '${word//_/ }' in: $(cat said.err)"
  done
  "$(dirname "$0")/../mpirun.sh" 2 "$program" check case.yaml 2>&1 | grep -qxF -f said.err ||
    fail "$1: two ranks say something else"
}

refused open.obj "open:_3_edges triangle_4,"
refused fin.obj "open:_2_edges triangle_13,"
refused edge.obj "more_than_two_faces an_edge_of_triangle_"
refused crossing.obj "crosses_itself the_first_is_triangle_1_and_triangle"
refused flat.obj "no_volume triangle_1"
refused far.obj "beyond_1e9_m a_corner_of_triangle_3"
refused nan.stl "not_a_finite_number a_corner_of_triangle_3"
refused moebius.obj "no_inside_and_outside around_the_edge_of_triangle_"

# What a message tells to lower the dilation to is taken, and two thirds more is not.
told()
{
  refused "$1" "$2 contact.lmd.dilation_to_at_most" "$3"
  local dilation
  dilation=$(sed -n 's/.*contact.lmd.dilation to at most \([0-9.e-]*\),.*/\1/p' said.err)
  "$program" check case.yaml --set contact.lmd.dilation="${dilation:-none}" >again.txt 2>&1 ||
    fail "$1: $dilation is refused, too: $(cat again.txt)"
  "$program" check case.yaml --set contact.lmd.dilation="$(awk -v d="$dilation" 'BEGIN { print 5 * d / 3 }')" \
    >again.txt 2>&1 && fail "$1: more than $dilation is taken, too"
}
told plate.obj "turns_inside_out triangle_17_" 5e-3
told pit.obj "crosses_itself triangle_" 0.02
[ "$failures" = 0 ] && echo "all refused by body and triangle"
exit $((failures > 0))
