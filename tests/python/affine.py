"""What tests of affine bodies share: materials, drifts of momenta, energy that no work explains."""
# test: needs python3 python3-numpy

import numpy

G = 9.81
AFFINE = {"elastic": "affine"}


def stone(density, young, **more):
  return {"stone": {"density": density, "young": young, **more}}


def drift(done, name):
  """Largest change of a vector over a run."""
  values = numpy.array([done[f"{name}_{axis}"] for axis in "xyz"]).T
  return numpy.linalg.norm(values - values[0], axis=1).max()


def unexplained(done):
  """Kinetic and elastic energy that no work of a step explains, J."""
  work = (done["load_work"] + done["contact_work"] + done["damping_work"] + done["scheme_work"]
          + done["joint_work"])
  return abs(numpy.diff(done["kinetic_energy"] + done["elastic_energy"]) - work[1:]).max()
