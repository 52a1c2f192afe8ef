"""Loads in time and prescribed motions against closed forms: python3 loads.py PROGRAM."""
# test: needs python3 python3-numpy
# test: slow
# test: ranks 3
# test: timeout 600
import math
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "io", "python"))
import drystone  # noqa: E402

PROGRAM = sys.argv[1]
MPIRUN = os.path.join(HERE, "..", "mpirun.sh")
checks = [0, 0]   # done, failed


def check(text, value, limit):
    """|value| is at most limit."""
    fine = bool(np.all(np.abs(value) <= limit))
    checks[0] += 1
    checks[1] += not fine
    largest = np.max(np.abs(value))
    print("fine   " if fine else "FAILED ", "%s: %.6g <= %.3g" % (text, largest, limit))


def check_between(text, value, low, high):
    fine = low <= value <= high
    checks[0] += 1
    checks[1] += not fine
    print("fine   " if fine else "FAILED ", "%s: %.6g in [%g, %g]" % (text, value, low, high))


class Run:
    """A run of a case: columns of its history and of all its frames, bodies by id."""

    def __init__(self, name, case, ranks=1, options=()):
        with open(name + ".yaml", "w") as file:
            file.write(case)
        words = [MPIRUN, str(ranks), PROGRAM, "run", name + ".yaml", "-o", name, "--overwrite"]
        done = subprocess.run(words + list(options), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout[-2000:], done.stderr[-2000:])
            sys.exit("run of %s: code %d" % (name, done.returncode))
        self.hash = done.stdout.strip().split()[-1]
        table = np.genfromtxt(name + "/history.csv", delimiter=",", names=True)
        self.history = np.atleast_1d(table)
        results = drystone.open(name)
        self.times = np.array([frame.time for frame in results.frames])
        frames = [results.bodies(frame) for frame in results.frames]
        self.bodies = {key: np.array([frame[key] for frame in frames]) for key in frames[0]}


def case(bodies, end, step=1e-3, gravity="[0, 0, -10]", friction=0.5, loads=(), frames=None,
         more=""):
    """The text of a case; bodies and loads are texts of entries."""
    lines = ["title: loads in time", "gravity: " + gravity,
             "time: {step: %.17g, end: %.17g}" % (step, end),
             "materials: {stone: {density: 1000}}",
             "contacts: [{between: [stone, stone], friction: %g}]" % friction, "bodies:"]
    lines += ["  - {%s, material: stone}" % body for body in bodies]
    if loads:
        lines += ["loads:"] + ["  - {%s}" % load for load in loads]
    lines += ["output: {frames: {every: %.17g}}" % (frames or step)]
    return "\n".join(lines) + "\n" + more


FLOOR = "box: [4, 4, 1], at: [0, 0, -0.5], fixed: true"
PRECISE = "solver: {tolerance: 1e-13, max_sweeps: 5000}\n"


def energy_identity(text, run, limit):
    """Kinetic energy is what loads, motions, contacts did, over a run from rest."""
    h = run.history
    work = sum(h[key] for key in ("load_work", "prescribed_work", "contact_work"))
    change = np.diff(np.concatenate([[0], h["kinetic_energy"]]))
    check(text, np.sum(change - work) / max(np.abs(h["kinetic_energy"]).max(), 1e-300), limit)


# -------------------------------------------------------------------------------------------------
# A block on a plane under 8 cos t (Potra, Anitescu, Gavrea and Trinkle 2006)

LIMIT = 0.8 * 9.81


def potra_speed(times):
    """Exact velocity: sticks while |8 cos t| <= 0.8 g, then slips until it comes to rest."""
    half = math.acos(LIMIT / 8)
    speed = np.zeros_like(times)
    place = 0.0   # at the end of each slip
    places = []
    for k in range(int(times.max() / math.pi) + 2):
        sign, begin = (-1) ** k, max(k * math.pi - half, 0)

        def velocity(t, begin=begin, k=k):
            push = 8 * (math.sin(t - k * math.pi) - math.sin(begin - k * math.pi))
            return push - LIMIT * (t - begin)
        low, high = begin + half, begin + 4 * half   # rest lies after the largest velocity
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if velocity(middle) > 0 else (low, middle)
        slips = (times > begin) & (times < low)
        speed[slips] = [sign * velocity(t) for t in times[slips]]
        x = 8 * (math.cos(begin - k * math.pi) - math.cos(low - k * math.pi)
                 - math.sin(begin - k * math.pi) * (low - begin)) - 0.5 * LIMIT * (low - begin) ** 2
        place += sign * x
        places.append((begin, low, place))
    return speed, places


def potra(step, ranks):
    block = "box: [0.2, 0.2, 0.025], at: [0, 0, 0.0125], name: block"
    push = "on: block, force: {cosine: {amplitude: [8, 0, 0], angular_frequency: 1}}"
    text = case([FLOOR, block], 10, step, "[0, 0, -9.81]", 0.8, [push], 1, PRECISE)
    return Run("potra%d" % ranks, text, ranks)


errors = []
for step, ranks in ((4e-3, 1), (2e-3, 3), (1e-3, 3)):
    run = potra(step, ranks)
    times, speed = run.history["time"], run.history["momentum_x"]
    exact, places = potra_speed(times)
    x = run.bodies["position"][:, 1, 0]
    rests = x[[2, 5, 8]]   # at these times, s, it rests after the first, second and third slip
    known = [place for _, _, place in places[:3]]
    errors.append((np.abs(speed - exact).max(), np.abs(rests - known).max()))
check("exact formulas against the known first slip: v_max",
      potra_speed(np.array([0.1952459]))[0] - 0.0197723, 5e-8)
check("its end, s", places[0][1] - 0.3386082, 5e-8)
check("its way, m", places[0][2] - 4.348570e-3, 5e-9)
first = times < 1
check("largest velocity of the first slip, m/s", speed[first].max() - 0.0197723, 2e-6)
check("when, s", times[first][speed[first].argmax()] - 0.1952459, 1e-3)
check("when it stops, s", times[(speed > 1e-9) & first].max() - 0.3386082, 1.5e-3)
check("where, m", x[2] - 4.348570e-3, 2e-7)
check("velocity over 10 s at 1 ms, m/s", errors[2][0], 1e-6)
check("place after each of three slips at 1 ms, m", errors[2][1], 1e-6)
for k, name, low, high in ((0, "velocity", 1.8, 2.2), (1, "place", 1, 3)):
    print("        %s errors at 4, 2, 1 ms: %.3g %.3g %.3g" % (name, *[e[k] for e in errors]))
    check_between("order of the %s" % name, math.log2(errors[0][k] / errors[2][k]) / 2, low, high)
energy_identity("energy of the block, relative to its largest", run, 1e-8)

# -------------------------------------------------------------------------------------------------
# Free bodies: a force off centre, a torque, a heavy top

CUBE = "box: [1, 1, 1], name: cube"   # 1000 kg, J = 1000/6
INERTIA = 1000 / 6


def off_centre(step):
    """Force (0, 300, 0) at (0.5, 0, 0), both in the body: it spins up with a = 150 / J."""
    run = Run("off_centre", case([CUBE], 2, step, "[0, 0, 0]", 0,
                                 ["on: cube, force: [0, 300, 0], at: [0.5, 0, 0], frame: body"], 1))
    t = np.linspace(0, 2, 20001)
    angle = 0.5 * 150 / INERTIA * t * t
    force = 0.3 * np.stack([-np.sin(angle), np.cos(angle), np.zeros_like(t)])
    v = (0.5 * (force[:, 1:] + force[:, :-1])).sum(axis=1) * (t[1] - t[0])
    return run, np.abs(run.bodies["velocity"][-1, 0] - v).max()


coarse, fine = off_centre(0.02)[1], off_centre(0.01)
run = fine[0]
spin = [0, 0, 2 * 150 / INERTIA]
check("spin by a force off centre, rad/s", run.bodies["spin"][-1, 0] - spin, 1e-12)
check("velocity, m/s", fine[1], 2e-5)
check_between("its order", math.log2(coarse / fine[1]), 1.8, 2.2)
energy_identity("energy by work of the force", run, 1e-12)

turn = "on: cube, torque: [30, -60, 20]"
run = Run("torque", case([CUBE], 1, 1e-2, "[0, 0, 0]", 0, [turn], 1), 3)
spin = np.array([30, -60, 20]) / INERTIA
check("spin by a torque, rad/s", run.bodies["spin"][-1, 0] - spin, 1e-13)
check("and no velocity", run.bodies["velocity"][-1, 0], 0)


def top_drift(step):
    """Heavy top: J = diag(5, 5, 1), torque -20 L3 x e3, tilt 0.05, spin 50 about its axis."""
    side, height = math.sqrt(0.5), math.sqrt(4.5)
    density = 12 / (0.5 * height)
    top = ("box: [%.17g, %.17g, %.17g], name: top, turn: {axis: [1, 0, 0], angle: %.17g}, "
           "spin: [0, %.17g, %.17g]" % (side, side, height, math.degrees(0.05),
                                        -50 * math.sin(0.05), 50 * math.cos(0.05)))
    loads = ["on: top, force: [0, 0, -20], at: [0, 0, 1]", "on: top, force: [0, 0, 20]"]
    text = case([top], 10, step, "[0, 0, 0]", 0, loads, 0.09)
    text = text.replace("density: 1000", "density: %.17g" % density)
    run = Run("top", text)
    axes = drystone.rotations(run.bodies["orientation"][:, 0])
    momentum = np.einsum("nij,ni->nj", axes, run.bodies["angular"][:, 0])
    energy = 0.5 * np.sum(momentum ** 2 / [5, 5, 1], axis=1) + 20 * axes[:, 2, 2]
    check("energy of the top at the start, J", energy[0] - 1269.975, 1e-3)
    check("it does not travel, m/s", run.bodies["velocity"][:, 0], 1e-13)
    return np.abs(energy / energy[0] - 1).max()


check("drift of its energy at 9 ms", top_drift(9e-3), 1e-3)
check("at 1 ms", top_drift(1e-3), 2e-5)

# -------------------------------------------------------------------------------------------------
# Bodies with a prescribed motion

BLOCK = "box: [0.4, 0.4, 0.2], at: [0, 0, 0.1], name: block"
MASS = 32

# a belt drags a block along: it slips for v / (mu g), then has the velocity of the belt
belt = "box: [8, 2, 0.4], at: [0, 0, -0.2], name: belt, motion: {velocity: [0.5, 0, 0]}"
for ranks in (1, 3):
    run = Run("belt%d" % ranks, case([belt, BLOCK], 0.5, 1e-3, frames=0.01, more=PRECISE), ranks)
    v = run.bodies["velocity"]
    check("velocity of the belt, m/s", v[:, 0] - [0.5, 0, 0], 0)
    check("place of the belt, m", run.bodies["position"][:, 0, 0] - 0.5 * run.times, 1e-13)
    slips = run.times < 0.1
    check("of the block while it slips", v[slips, 1, 0] - 5 * run.times[slips], 1e-9)
    check("and after that", v[run.times > 0.102, 1, 0] - 0.5, 1e-9)
    check("drive", run.bodies["drive"] - [2, 0], 0)
    h = run.history
    check("work of the belt, J", h["prescribed_work"].sum() - MASS * 0.25, 1e-6)
    check("half of it heats the contact", h["contact_work"].sum() + MASS * 0.125, 1e-6)
    energy_identity("energy on the belt", run, 1e-9)

# a plate lifts a block: half a cosine of way, 0.1 m up
lift = "box: [2, 2, 0.4], at: [0, 0, -0.2], motion: {velocity: {cosine: " \
    "{amplitude: [0, 0, %.17g], angular_frequency: %.17g, phase: -90}}}" % (math.pi * 0.05, math.pi)
run = Run("lift", case([lift, BLOCK], 1, 1e-3, frames=0.05, more=PRECISE), 3)
z = run.bodies["position"][:, :, 2]
check("place of the plate, m", z[:, 0] + 0.2 - 0.05 * (1 - np.cos(math.pi * run.times)), 1e-7)
check("the block on it", z[:, 1] - z[:, 0] - 0.3, 2e-6)
check("velocity of the block", run.bodies["velocity"][1:, 1] - run.bodies["velocity"][1:, 0], 1e-9)
check("work of lifting, J", run.history["prescribed_work"].sum() / (MASS * 10 * 0.1) - 1, 1e-5)

# a turntable about a point beside it, with a block that friction holds
disc = "box: [3, 3, 0.4], at: [0.3, 0, -0.2], motion: {spin: [0, 0, 1.5], about: [0, 0, 0]}"
rider = "box: [0.4, 0.4, 0.2], at: [1, 0, 0.1], velocity: [0, 1.5, 0], spin: [0, 0, 1.5]"
errors = []
for parts, ranks in ((750, 1), (1500, 3)):
    text = case([disc, rider], 4 * math.pi / 1.5, math.pi / parts, frames=0.1, more=PRECISE)
    run = Run("turntable", text, ranks)
    angle, x = 1.5 * run.times, run.bodies["position"]
    errors.append(np.abs(np.hypot(x[:, 1, 0], x[:, 1, 1]) - 1).max())
check("centre of the turntable on its circle, m", np.hypot(x[:, 0, 0], x[:, 0, 1]) - 0.3, 1e-13)
check("its angle", x[:, 0, 0] - 0.3 * np.cos(angle), 1e-12)
check("its velocity", run.bodies["velocity"][:, 0, 1] - 0.45 * np.cos(angle), 1e-12)
# contacts know velocities where they are found: what sticks spirals outward, r' = h w^2 r / 2
check("spiral of the block, relative to what the scheme gives",
      errors[1] / (math.pi / 1500 * 1.5 ** 2 / 2 * run.times[-1]) - 1, 0.05)
check_between("its order", math.log2(errors[0] / errors[1]), 0.9, 1.1)
check("angle of the block", np.unwrap(np.arctan2(x[:, 1, 1], x[:, 1, 0])) - angle, 1e-4)

# a shaking table is base acceleration, the other way round
SHAKE = "{cosine: {amplitude: [%g, 2, 0], angular_frequency: 20, phase: 30, mean: [0.5, 0, 0]}}"
table = ("box: [4, 4, 1], at: [0, 0, -0.5], velocity: [0.2, 0, 0], motion: {acceleration: "
         + SHAKE % 6 + "}")
against = SHAKE.replace("2, 0]", "-2, 0]").replace("[0.5", "[-0.5") % -6
moving = BLOCK + ", velocity: [0.2, 0, 0]"
shaken = Run("shaken", case([table, moving], 1, frames=0.02, more=PRECISE), 3)
base = "{sum: [[0, 0, -10], %s]}" % against
based = Run("based", case([FLOOR, BLOCK], 1, gravity=base, frames=0.02, more=PRECISE))
relative = shaken.bodies["position"][:, 1] - shaken.bodies["position"][:, 0]
check("way on the shaking table and under base acceleration, m",
      relative - based.bodies["position"][:, 1] + based.bodies["position"][:, 0], 1e-8)
check_between("which is not small, m", np.ptp(relative[:, 0]), 0.01, 1)

# an angular acceleration: w = a t; and a start
wheel = ("box: [1, 1, 1], spin: [0, 0, 0.5], motion: {angular_acceleration: "
         "{table: [[0, 0, 0, 0], [1, 0, 0, 2]]}}")
other = "box: [1, 1, 1], at: [9, 0, 0]"
run = Run("wheel", case([wheel, other], 1, 1e-3, "[0, 0, 0]", frames=0.1))
spin = run.bodies["spin"][:, 0, 2]
check("spin by a growing angular acceleration", spin - 0.5 - run.times ** 2, 1e-12)
half = run.bodies["orientation"][-1, 0]
check("angle, rad", 2 * np.arctan2(half[3], half[0]) - (0.5 + 1 / 3), 2e-7)


# -------------------------------------------------------------------------------------------------
# Lengths and times four times as large: the same numbers, scaled, bit by bit


def scaled(s):
    """Lengths s, times s, masses s^3 at one density: velocities as they are."""
    def n(x, power):
        return "%.17g" % (x * float(s) ** power)

    def v(x, y, z, power):
        return "[%s, %s, %s]" % (n(x, power), n(y, power), n(z, power))
    bodies = ["box: %s, at: %s, motion: {velocity: {cosine: {amplitude: [0.3, 0, 0.1], "
              "angular_frequency: %s}}, spin: %s, about: %s}"
              % (v(4, 4, 1, 1), v(0, 0, -0.5, 1), n(7, -1), v(0, 0, 0.25, -1), v(1, 0, 0, 1)),
              "box: %s, at: %s, name: block" % (v(0.5, 0.4, 0.3, 1), v(0, 0, 0.15, 1)),
              "box: %s, at: %s, velocity: [0.3, 0, 0], motion: {acceleration: "
              "{table: [[0, 0, 0, 0], [%s, %s, 0, 0]]}}"
              % (v(1, 1, 1, 1), v(-2, 0, 0.625, 1), n(1, 1), n(1, -1))]
    loads = ["on: block, force: {cosine: {amplitude: %s, angular_frequency: %s}}, at: %s, "
             "torque: %s, frame: body"
             % (v(90, 20, 100, 2), n(3, -1), v(0.1, 0, 0.1, 1), v(1, 2, 15, 3))]
    text = case(bodies, 0.5 * s, s / 512, v(0, 0, -10, -1), 0.5, loads, s / 16)
    return Run("scaled%d" % s, text)


one, four = scaled(1), scaled(4)
for key, factor in (("position", 4), ("orientation", 1), ("velocity", 1), ("spin", 0.25),
                    ("angular", 256)):
    check("scaled by four: " + key, four.bodies[key] - factor * one.bodies[key], 0)

print("%d checks, %d failed" % tuple(checks))
sys.exit(checks[1] > 0)
