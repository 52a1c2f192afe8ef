#!/usr/bin/env python3
"""Random small scenes, judged by what holds for any: energy, momenta, overlap, approach, hashes.

A scene is a function of its number: spheres, ellipsoids, boxes and hulls that fly into each other,
with or without a floor, a wall that moves, gravity, loads, friction, restitution, correction.
RANDOM_SCENES says how many scenes there are, RANDOM_SCENES_FIRST the number of the first; the quick
suite has a few, a campaign is RANDOM_SCENES=2000.
"""
# test: needs python3 python3-numpy
# test: ranks 3
# test: timeout 300
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import numpy
from cases import case, check, check_same, finish, run

COUNT = int(os.environ.get("RANDOM_SCENES", 10))
FIRST = int(os.environ.get("RANDOM_SCENES_FIRST", 1))
STEPS, FRAMES = 40, 4   # steps of a run, and between two frames
TOLERANCE = 1e-8        # of the solver
PITCH = 0.46            # m between the places of bodies
OUTER = 0.23            # m, radius of the sphere that holds a loose body


def vector(dice, size):
  return [dice.uniform(-size, size) for _ in range(3)]


def loose_shape(dice):
  """Within OUTER of its place, turned anyhow."""
  kind = dice.randrange(4)
  turn = {"turn": {"axis": vector(dice, 1), "angle": dice.uniform(0, 360)}}
  if kind == 0:
    return {"sphere": {"radius": dice.uniform(0.15, OUTER)}}
  if kind == 1:
    sides = numpy.array([dice.uniform(0.5, 1) for _ in range(3)])
    return {"box": list(2 * OUTER * sides / numpy.linalg.norm(sides)), **turn}
  if kind == 2:
    radii = [OUTER / dice.uniform(1, 4) for _ in range(2)]
    return {"ellipsoid": {"radii": [OUTER, *radii]}, **turn}
  corners = numpy.array([vector(dice, 1) for _ in range(dice.randrange(6, 12))])
  corners *= OUTER / numpy.linalg.norm(corners, axis=1)[:, None]
  return {"hull": corners.tolist(), **turn}


def packed_shape(dice):
  """As wide as the pitch, so that it touches its neighbours."""
  if dice.random() < 0.4:
    return {"sphere": {"radius": 0.5 * PITCH}}
  return {"box": [PITCH, PITCH, PITCH]}


class Scene:
  """A case, and what is needed to judge its run."""

  def __init__(self, number):
    dice = random.Random(number)
    self.name = f"scene_{number}"
    self.gravity = 9.81 if dice.random() < 0.6 else 0.0
    self.step = dice.choice([5e-4, 1e-3])
    self.packed = dice.random() < 0.5
    self.correction = dice.choice([0.0, 0.2])
    self.restitution = dice.choice([0.0, 0.5, dice.random(), 1.0, 1.0])
    self.friction = dice.choice([0.0, dice.uniform(0, 1)])
    self.floor, self.belt = dice.random() < 0.5, dice.random() < 0.25
    self.load = vector(dice, 30) if dice.random() < 0.25 else [0.0, 0.0, 0.0]
    self.spin = dice.choice([0.0, 1.0, 10.0])
    self.speed = dice.choice([0.1, 1.0, 3.0])
    self.bodies = []
    places = [(x, y, z) for x in range(2) for y in range(2) for z in range(3)]
    for x, y, z in dice.sample(places, dice.randrange(3, 13)):
      self.add(dice, [PITCH * x, PITCH * y, PITCH * (z + 0.5)])
    if self.floor:
      self.bodies.append({"box": [6, 6, 1], "at": [0, 0, -0.5], "fixed": True, "name": "floor"})
    if self.belt:
      self.bodies.append({"box": [6, 1, 6], "at": [0, -0.5 - 0.5 * PITCH, 0], "name": "belt",
                          "motion": {"velocity": [dice.uniform(-1, 1), dice.uniform(0, 1), 0]}})

  def add(self, dice, place):
    # towards the middle, so that they meet
    away = numpy.array(place) - [0.5 * PITCH, 0.5 * PITCH, PITCH]
    velocity = numpy.array(vector(dice, self.speed)) - 2 * self.speed * away
    body = {**(packed_shape(dice) if self.packed else loose_shape(dice)), "at": place,
            "spin": vector(dice, self.spin), "velocity": velocity.tolist(), "name": "loose"}
    if dice.random() < 0.3:
      body["velocity"], body["spin"] = [0, 0, 0], [0, 0, 0]
    if dice.random() < 0.3:
      body["name"] = "loaded"
    self.bodies.append(body)

  def case(self):
    more = {}
    if any(body["name"] == "loaded" for body in self.bodies):
      more["loads"] = [{"on": "loaded", "force": self.load}]
    else:
      self.load = [0.0, 0.0, 0.0]
    return case(self.bodies, gravity=(0, 0, -self.gravity), step=self.step,
                end=STEPS * self.step, friction=self.friction, restitution=self.restitution,
                frames=FRAMES * self.step, densities={"stone": 2000.0},
                solver={"tolerance": TOLERANCE, "correction": self.correction}, **more)

  def loaded(self):
    return [i for i, body in enumerate(self.bodies) if body["name"] == "loaded"]


class Judge:
  """Checks one run; errors are relative to what moves."""

  def __init__(self, scene, done):
    self.scene, self.done = scene, done
    self.frames = [(done.bodies(f), done.contacts(f)) for f in range(len(done.results.frames))]
    first = self.frames[0][0]
    self.mass = first["mass"][first["drive"] == 0]
    pull = numpy.full(len(self.mass), scene.gravity)
    for i in scene.loaded():
      pull[i] += numpy.linalg.norm(scene.load) / self.mass[i]
    # what loads do within a step and contacts may undo is 1/8 of the energy of that motion
    self.slack = (self.mass * (scene.step * pull) ** 2).sum() / 8
    self.speed = max(numpy.linalg.norm(b["velocity"], axis=1).max() for b, _ in self.frames)
    self.spin = max(numpy.linalg.norm(b["spin"], axis=1).max() for b, _ in self.frames)
    self.speed += OUTER * self.spin + scene.step * pull.max() + 1e-9
    self.turn = scene.step * self.spin   # rad in a step
    # what the solver has left
    self.left = 10 * max(TOLERANCE, done["residual_max"].max())

  def check(self, text, value, relation, limit):
    check(f"{self.scene.name}: {text}", value, relation, limit)

  def energy(self):
    done = self.done
    works = done["load_work"] + done["prescribed_work"]
    scale = done["kinetic_energy"].max() + numpy.abs(done["prescribed_work"]).max() + self.slack
    self.check("work of contacts over energy",
               ((done["contact_work"] - self.slack) / (scale + 1e-300)).max(), "<=", self.left)
    # bodies that turn have it to second order
    error = numpy.diff(done["kinetic_energy"]) - (works + done["contact_work"])[1:]
    self.check("energy beside the works", numpy.abs(error).max() / (scale + 1e-300), "<=",
               1e-12 + self.turn ** 2)

  def momentum(self):
    scene, done, total = self.scene, self.done, self.mass.sum()
    if scene.floor or scene.belt:
      return
    force = len(scene.loaded()) * numpy.array(scene.load) - [0, 0, total * scene.gravity]
    for axis, name in enumerate("xyz"):
      drift = done[f"momentum_{name}"] - done["time"] * force[axis]
      self.check(f"momentum {name}", numpy.ptp(drift) / (total * self.speed), "<=", 1e-12)
      if not force.any() and scene.correction == 0:
        turning = done[f"angular_momentum_{name}"]
        self.check(f"angular momentum {name}", numpy.ptp(turning) / (total * self.speed), "<=",
                   1e-12)

  def places(self):
    """No body is left approaching another one that it touches, or goes far into it."""
    scene = self.scene
    worst = touching = 0
    for bodies, contacts in self.frames[1:]:
      closed = contacts["gap"] <= 0
      at, normal = contacts["point"][closed], contacts["normal"][closed]
      speeds = []
      for rows in contacts["bodies"][closed].astype(int).T:   # ids are rows
        middle = bodies["position"][rows] - 0.5 * scene.step * bodies["velocity"][rows]
        speeds.append(bodies["velocity"][rows] + numpy.cross(bodies["spin"][rows], at - middle))
      if closed.any():
        approach = ((speeds[1] - speeds[0]) * normal).sum(axis=1)
        worst = max(worst, approach.max())
        touching += closed.sum()
    # spins follow from angular momentum to first order in the turn; a correction shifts arms
    limit = self.left + self.turn + (1e-3 if scene.correction else 0)
    self.check(f"approach at {touching} closed points over speed", worst / self.speed, "<=", limit)
    self.check("overlap over the way of a step", self.done["penetration"].max() /
               (scene.step * self.speed), "<=", 2)
    return touching


def ball_on_box():
  """A ball hits a box that turns on a floor: its corners recede, and Newton's law adds 60 %."""
  bodies = [{"box": [10, 10, 1], "at": [0, 0, -0.5], "fixed": True},
            {"box": [0.4, 0.4, 0.2], "at": [0, 0, 0.1], "spin": [-6, 0, 0]},
            {"sphere": {"radius": 0.2}, "at": [0, -0.1, 0.4], "velocity": [0, 0, -1]}]
  done = run(case(bodies, gravity=(0, 0, 0), step=7.45508e-4, end=2.236524e-3, friction=0.0,
                  restitution=1.0, densities={"stone": 2500.0}), "ball_on_box")
  box, ball = 0.5 * 80 * 36 * (0.4 ** 2 + 0.2 ** 2) / 12, 0.5 * 2500 * 4 / 3 * numpy.pi * 0.2 ** 3
  check("ball on a turning box: energy over that before",
        done["kinetic_energy"].max() / (box + ball), "<=", 1 + 1e-8)


def main():
  ball_on_box()
  touching = impacts = 0
  for number in range(FIRST, FIRST + COUNT):
    scene = Scene(number)
    described = scene.case()
    runs = [run(described, f"{scene.name}.{ranks}", ranks, case_name=scene.name)
            for ranks in (1, 3)]
    if any(done.code for done in runs):
      continue
    check_same(f"{scene.name}: hash on 1 and 3 ranks", runs[0].hash, runs[1].hash)
    judge = Judge(scene, runs[0])
    judge.energy()
    judge.momentum()
    touching += judge.places()
    with open(f"{scene.name}.1.log", encoding="utf-8") as log:
      impacts += "kept a share of their rebound" in log.read()
  print(f"{COUNT} scenes, {touching} closed points, {impacts} scenes with a bounded impact")
  if COUNT >= 10:   # not where a scene is looked at alone
    check("closed points that were looked at", touching, ">", 10 * COUNT)
    check("scenes with an impact that would have made energy", impacts, ">", 0)
  finish()


main()
