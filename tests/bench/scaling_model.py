#!/usr/bin/python3
"""What efficiency to expect on many ranks: a model of cost per rank, fitted to scaling.sh's counts.

  scaling.sh PROGRAM --weak --json counts.json && scaling_model.py counts.json [OPTION]...

The time of a step on P ranks with n bodies each:

  T = sweeps T_sweep + inner T_inner + outer T_outer + T_step + T_share / every
  T_sweep = n w_s f c + m_s L + b_s / B                                                + a_s R
  T_outer = m_u L + b_u / B + a_u R, an iteration of ADMM without its conjugate gradients
  T_inner = (n + r) c_i f + m_i L + b_i / B + a_i R                         (r: see below)
  T_step  = n w_0 f c + m_0 L + b_0 / B + 48 P / B + a_0 R
  T_share = V t_v + V b_v / B + 2 L log2 P

m, b, a: messages, bytes and collective calls of the busiest rank, as counted, over P >= 8, where
every piece of the wall has its neighbours. Messages and bytes of sweeps and CG iterations are
counted per neighbour, since how many a rank has depends on where the cuts lie, and fitted by least
squares to x + y log2 P (levels of multigrid); those of the rest of a step to x + y P, which finds a
rank that talks to all. A negative y is noise and does not go on. To show the error of the form, the
last rank count is also left out of a fit and predicted by it.
w: counted work of a body in units, c seconds of a unit, f work of the busiest rank over the mean.
R = L log2 P: a reduction of a few hundred bytes. r: rows of coarse levels that every rank has.
V: vertices of the graph that one rank splits: all bodies, or segments of the curve with them.

The efficiency is T on one rank with n bodies over T on P ranks with n bodies each.
"""
# test: needs python3

import argparse
import json
import math
import sys

LAW = ("sweep", "inner", "outer", "step")
KINDS = ("messages", "bytes", "collectives")


def fit(points):
  """Least squares of x + y t; (x, y), with the mean alone where y would be negative."""
  n = len(points)
  mean_t, mean = sum(t for t, _ in points) / n, sum(v for _, v in points) / n
  spread = sum((t - mean_t) ** 2 for t, _ in points)
  y = sum((t - mean_t) * (v - mean) for t, v in points) / spread if spread > 0 else 0
  return (mean - y * mean_t, y) if y > 0 else (mean, 0.0)


def growth_of(activity, ranks):
  """What a count is linear in."""
  return ranks if activity == "step" else math.log2(ranks)


class Model:
  """Costs of a rank as functions of P."""

  def __init__(self, rows, options):
    self.o = options
    self.rows = [row for row in rows if row["ranks"] >= 8]
    if len(self.rows) < 3:
      sys.exit("counts on 8, 16 and more ranks are needed: scaling.sh --weak --largest 32 or more")
    self.bodies = rows[-1]["bricks"] / rows[-1]["ranks"]
    self.share = max(row["imbalance"] for row in self.rows)
    self.neighbours = options.neighbours or max(row["neighbours"] for row in self.rows)
    # of work in units per body: what a sweep adds is its points, the rest is paid once in a step
    self.points = rows[-1]["points"] / rows[-1]["bricks"]
    total = max(row["work"] for row in self.rows) / self.bodies
    self.once = max(total - self.points * rows[-1]["long"], 0)
    self.fits, self.errors = {}, {}
    for activity in LAW:
      for kind in KINDS:
        name = f"{activity}_{kind}"
        points = [(growth_of(activity, row["ranks"]), row[name] / self.unit_of(name, row))
                  for row in self.rows]
        trial = fit(points[:-1])
        t, seen = points[-1]
        self.errors[name] = (trial[0] + trial[1] * t - seen) / seen if seen else 0.0
        self.fits[name] = fit(points)

  @staticmethod
  def unit_of(name, row):
    """Neighbours, where a count is of each."""
    return 1 if name.startswith("step") or name.endswith("collectives") else row["neighbours"]

  def count(self, name, ranks, scale=1.0):
    """What the busiest rank sends."""
    if ranks == 1:
      return 0.0
    x, y = self.fits[name]
    one = x + y * growth_of(name.split("_")[0], ranks)
    return scale * max(one, 0) * self.unit_of(name, {"neighbours": self.neighbours})

  def talk(self, activity, ranks, surface):
    """Seconds of messages and collective calls of one round of an activity."""
    o = self.o
    return (self.count(f"{activity}_messages", ranks) * o.latency
            + self.count(f"{activity}_bytes", ranks, surface) / o.bandwidth
            + self.count(f"{activity}_collectives", ranks) * o.latency * math.log2(max(ranks, 2)))

  def step(self, ranks, bodies):
    """Seconds of a step by cause."""
    o = self.o
    surface = (bodies / self.bodies) ** o.surface
    share = self.share if ranks > 1 else 1.0
    unit = o.unit * share
    # where all bodies are no more than such a level, they are it, on every rank
    total = ranks * bodies
    shared = o.shared_rows if total > o.shared_rows else total - bodies
    found = {
      "work": bodies * (self.points * o.sweeps + self.once) * unit
              + o.inner * bodies * o.inner_seconds * share,
      "coarse": o.inner * shared * o.inner_seconds,
      "sweeps": o.sweeps * self.talk("sweep", ranks, surface),
      "inner": o.inner * self.talk("inner", ranks, surface),
      "outer": o.outer * self.talk("outer", ranks, surface),
      "rest": self.talk("step", ranks, surface) + (48 * ranks / o.bandwidth if ranks > 1 else 0),
    }
    vertices = ranks * (bodies if o.segments == 0 else min(o.segments, bodies))
    found["sharing"] = 0.0
    if ranks > 1 and o.every > 0:
      found["sharing"] = (vertices * (o.vertex_seconds + o.vertex_bytes / o.bandwidth)
                          + 2 * o.latency * math.log2(ranks)) / o.every
    return found


def say_assumptions(model, options):
  o = options
  print(f"""Assumptions
  latency {o.latency:.3g} s, bandwidth {o.bandwidth:.3g} B/s of a rank; no congestion, no noise
  unit of counted work {o.unit:.3g} s; CG iteration {o.inner_seconds:.3g} s a body
  a step: {o.sweeps} sweeps, {o.inner} iterations of conjugate gradients, {o.outer} of ADMM
  busiest rank {model.share:.3f} of the mean work; {model.points:.2f} contact points a body
  {model.neighbours} neighbours
  bytes ~ bodies per rank ^ {o.surface:.3g} (0: a wall cut across, 0.5: a facade, 0.667: a heap)
  {o.shared_rows} rows of coarse levels on every rank
  {'bodies' if o.segments == 0 else f'{o.segments} segments a rank'} split by one rank every """
        f"{o.every} steps, {o.vertex_seconds:.3g} s and {o.vertex_bytes} B a vertex")
  print("\nFitted to counts of the busiest rank; error of a fit without the last count there")
  for name, (x, y) in model.fits.items():
    grows = "P     " if name.startswith("step") else "log2 P"
    each = "a neighbour" if model.unit_of(name, {"neighbours": 0}) == 0 else ""
    print(f"  {name:<18} {x:12.5g} {y:+11.4g} {grows} {100 * model.errors[name]:+7.1f} %  {each}")


def say_forecast(model, options):
  print(f"\n{'ranks':>8} {'bodies/rank':>12} {'s/step':>10} {'efficiency':>11}   share of the step")
  for ranks in options.ranks:
    for bodies in options.bodies:
      one = sum(model.step(1, bodies).values())
      causes = model.step(ranks, bodies)
      step = sum(causes.values())
      shares = ", ".join(f"{name} {100 * t / step:.0f} %" for name, t in causes.items()
                         if t > 0.005 * step)
      print(f"{ranks:>8} {bodies:>12} {step:>10.3g} {one / step:>11.2f}   {shares}")


def number(least, most, kind=float):
  def parse(word):
    try:
      value = kind(word)
    except ValueError:
      value = math.nan
    if not least <= value <= most:
      raise argparse.ArgumentTypeError(f"a number from {least} to {most}, found '{word}'")
    return value
  return parse


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  add = parser.add_argument
  add("counts", help="what scaling.sh --weak --json wrote")
  add("--latency", type=number(0, 1), default=1.5e-6, help="s a message; 1.5e-6")
  add("--bandwidth", type=number(1, 1e15), default=10e9, help="B/s of a rank; 1e10")
  add("--unit", type=number(0, 1), default=60e-9, help="s a unit of counted work; 6e-8")
  add("--inner-seconds", type=number(0, 1), default=0.6e-6,
      help="s a body of an iteration of conjugate gradients (bench_linear); 6e-7")
  add("--sweeps", type=number(0, 10**6, int), default=10, help="of a step; 10")
  add("--inner", type=number(0, 10**6, int), default=60, help="CG iterations of a step; 60")
  add("--outer", type=number(0, 10**6, int), default=30, help="ADMM iterations of a step; 30")
  add("--neighbours", type=number(0, 10**6, int), default=0, help="of a rank; 0: as counted")
  add("--surface", type=number(0, 1), default=0.0,
      help="exponent of bytes in bodies; 0")
  add("--shared-rows", type=number(0, 10**9, int), default=256, help="coarse levels; 256")
  add("--every", type=number(0, 10**9, int), default=100, help="steps to a new partition; 100")
  add("--segments", type=number(0, 10**6, int), default=32, help="segments per rank, 0: bodies; 32")
  add("--vertex-seconds", type=number(0, 1), default=1e-6, help="METIS, s a vertex; 1e-6")
  add("--vertex-bytes", type=number(0, 10**6, int), default=150, help="gathered a vertex; 150")
  add("--ranks", type=number(1, 10**9, int), nargs="+", default=[16, 64, 1000, 100000])
  add("--bodies", type=number(1, 10**12, int), nargs="+", default=[500, 5000, 50000])
  options = parser.parse_args()
  try:
    with open(options.counts, encoding="utf-8") as file:
      rows = json.load(file)["weak"]
  except (OSError, ValueError, KeyError, TypeError) as error:
    sys.exit(f"{options.counts}: no counts of scaling.sh --weak --json ({error!r})")
  model = Model(sorted(rows, key=lambda row: row["ranks"]), options)
  say_assumptions(model, options)
  say_forecast(model, options)


main()
