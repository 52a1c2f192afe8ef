#!/bin/bash
# A scan in convex pieces falls on a floor and comes to rest: the same hash and hash log on any number of ranks, and
# after a restart on other ranks where no tetgen is; no energy from nothing; check and the run tell of the pieces.
# test: needs python3 tetgen
# test: ranks 7
# test: timeout 900
source "$(dirname "$0")/runs.bash"
rm -rf one ranks[1-7] again long ./*.txt   # of an earlier run
export DRYSTONE_TETGEN=/nowhere/tetgen

# a stone with a notch and noise, in mm, and one that is convex
python3 - <<'END'
import math

def scan(name, n, notch, noise):
    numbers, points, faces = {}, [], []

    def point(at):
        if at not in numbers:
            numbers[at] = len(points)
            u = [2 * c / n - 1 for c in at]
            size = sum(c**6 for c in u) ** (1 / 6)   # nearly a box
            u = [c / size for c in u]
            chance = (len(points) * 2654435761 % 4294967296) / 4294967296
            radius = 1 + 0.08 * u[0] * u[1] - notch * max(0, u[0]) * math.exp(-u[2] ** 2 / 0.03)
            radius += noise * (2 * chance - 1)
            points.append([120 * radius * c * s for c, s in zip(u, (1, 0.8, 0.5))])
        return numbers[at]

    for axis in range(3):
        for far in (0, n):
            for i in range(n):
                for j in range(n):
                    v = []
                    for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        at = [0, 0, 0]
                        at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = far, i + du, j + dv
                        v.append(point(tuple(at)))
                    faces += [v[:3], [v[0], v[2], v[3]]] if far else [v[2::-1], [v[3], v[2], v[0]]]
    with open(name, "w") as file:
        file.write(f"OFF\n{len(points)} {len(faces)} 0\n")
        file.writelines("%.5f %.5f %.5f\n" % tuple(p) for p in points)
        file.writelines("3 %d %d %d\n" % tuple(f) for f in faces)

scan("stone.off", 10, 0.4, 0.003)   # every run cuts it anew
scan("fine.off", 20, 0.4, 0.003)
END

cat >scan.yaml <<'END'
title: a scan in pieces falls and rests
units: SI
seed: 3
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 0.4}
solver: {tolerance: 1e-2, max_sweeps: 100}
materials:
  stone: {density: 2400}
contacts:
  - {between: [stone, stone], friction: 0.9, restitution: 0}
bodies:
  - {box: [2, 2, 0.2], at: [0, 0, -0.1], material: stone, fixed: true, name: floor}
  - {mesh: {file: stone.off, scale: 0.001, pieces: 12}, at: [0, 0, 0.15], spin: [0.3, 0.5, 0], material: stone}
  - {mesh: {file: stone.off, scale: 0.001, pieces: 12}, at: [0.02, 0.01, 0.35], turn: {axis: [0, 0, 1], angle: 70},
     material: stone}
END

bits_on_ranks scan "" 220

# what the pieces differ by is told
"$program" check scan.yaml >check.txt 2>&1
said='12 convex pieces of [0-9.e-]+ m3, [+-][0-9.]+ % of the mesh, whose surface is at most [0-9.]+ m from theirs'
expect "check tells of the pieces" grep -qE "$said" check.txt
expect "the run tells of the pieces" grep -qE "$said" one.log

# what follows is of the case, and not of the build
[ -z "$two_programs" ] || exit $((failures > 0))

# Energy never exceeds that of the start, and the stones come to rest. A stone that rolls over its edges gains up to h^2
# in a step: a quarter of that with half the step, and the same where it is one hull.
sed 's/stone.off/fine.off/' scan.yaml >fine.yaml
piece "$release" 1 fine.yaml long --set time.end=3 --set solver.tolerance=1e-6 --set solver.max_sweeps=2000
python3 - <<'END' || failures=$((failures + 1))
import csv
rows = [{k: float(v) for k, v in r.items() if k != "method"} for r in csv.DictReader(open("long/history.csv"))]
kinetic = [r["kinetic_energy"] for r in rows]
works = [r["contact_work"] + r["prescribed_work"] + r["correction_work"] for r in rows]
lost, gain = -sum(works), max(works)
energy, most = 0.0, 0.0   # above that of the first step
for r, work in zip(rows[1:], works[1:]):
    energy += work
    most = max(most, energy)
print(f"{len(rows)} steps, {lost:.3g} J lost, at most {gain:.2g} J gained in a step and {most:.2g} J since the start,"
      f" in the end {kinetic[-1]:.2g} J of {max(kinetic):.3g} J in motion")
exit(not (lost > 0.5 * max(kinetic) and gain <= 1e-5 * lost and most == 0 and kinetic[-1] < 1e-12 * max(kinetic)))
END
exit $((failures > 0))
