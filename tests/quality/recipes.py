#!/usr/bin/env python3
"""The recipes for Spack and EasyBuild, without either: executed with the few names they use.

They ask for the libraries that Debian's packages are built with, give CMake variables that it
knows, and what they promise to be installed is what `cmake --install` puts under a prefix.
"""
# test: needs python3
# test: slow
# test: installs
import os
import re
import shutil
import subprocess
import sys
import types

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "..", "..")
build = os.path.dirname(os.path.abspath(sys.argv[1]))
LIBRARIES = {"hdf5-openmpi": "hdf5", "metis": "metis", "suitesparse": "suite-sparse",
             "yaml": "libyaml", "jansson": "jansson", "openmpi": "mpi"}   # of Debian, of Spack


def read(path):
  with open(os.path.join(root, path), encoding="utf-8") as file:
    return file.read()


class Prefix(str):
  """A folder, as Spack has it: attributes and join() go down."""

  def __getattr__(self, name):
    if name.startswith("__"):
      raise AttributeError(name)
    return Prefix(os.path.join(self, name))

  def join(self, name):
    return Prefix(os.path.join(self, name))


def spack_recipe(text):
  """What the recipe says: lists of its directives, arguments of CMake, paths for Python."""
  said = {name: [] for name in ("license", "version", "variant", "depends_on")}
  package = types.ModuleType("spack.package")
  for name, calls in said.items():
    setattr(package, name, lambda *words, calls=calls, **options: calls.append((words, options)))

  class CMakePackage:
    prefix = Prefix("/p")
    spec = {"hdf5": types.SimpleNamespace(prefix="/h")}

    def define(self, name, value):
      return f"-D{name}={value}"

  package.CMakePackage = CMakePackage
  sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), package
  names = {}
  exec(compile(text, "package.py", "exec"), names)
  recipe = names["Drystone"]()
  paths = []
  environment = types.SimpleNamespace(prepend_path=lambda *words: paths.append(words))
  recipe.setup_run_environment(environment)
  return said, recipe.cmake_args(), paths


def known(arguments, cmake):
  """Every -DNAME=VALUE is an option of the project, or a variable that it or CMake reads."""
  names = re.findall(r"-D(\w+)=", " ".join(arguments))
  assert "DRYSTONE_TESTS" in names, f"tests would be built: {names}"
  for name in names:
    where = rf"^option\({name} " if name.startswith("DRYSTONE_") else rf"\b{name}\b"
    assert re.search(where, cmake, re.M), f"nobody reads {name}"


cmake = read("CMakeLists.txt")
version = re.search(r"project\(drystone VERSION ([\d.]+)", cmake).group(1)
control = read("jobs/packaging/deb/debian/control")
debian = set(re.findall(r"\blib([\w-]+)-dev\b", control.split("\n\n")[0]))
assert debian == set(LIBRARIES), f"Debian's libraries are {sorted(debian)}"

# Spack
text = read("jobs/packaging/spack/package.py")
said, arguments, paths = spack_recipe(text)
# the sources are a checkout: a recipe has no address and no checksum, which would be made up
assert said["version"] == [((version,), {})], said["version"]
asked = {re.match(r"[\w-]+", words[0]).group(): (words[0], options)
         for words, options in said["depends_on"]}
for name in LIBRARIES.values():
  assert name in asked, f"Spack's recipe lacks {name}"
assert "+mpi" in asked["hdf5"][0], asked["hdf5"]
variants = {words[0] for words, _ in said["variant"]}
for name, (_, options) in asked.items():
  assert options.get("when", "+python").lstrip("+~") in variants, f"{name}: no variant {options}"
known(arguments, cmake)
python = [os.path.relpath(path, "/p") for variable, path in paths if variable == "PYTHONPATH"]
assert f"spack dev-build drystone@{version}" in text

# EasyBuild
folder = os.path.join(root, "jobs/packaging/easybuild")
files = os.listdir(folder)
assert len(files) == 1, files
easy = {"SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz"}
recipe = os.path.join("jobs/packaging/easybuild", files[0])
exec(compile(read(recipe), files[0], "exec"), easy)
kit = easy["toolchain"]
expected = f"{easy['name']}-{easy['version']}-{kit['name']}-{kit['version']}.eb"
assert files[0] == expected, f"EasyBuild looks for {expected}"
assert easy["version"] == version
assert not {"checksums", "source_urls"} & set(easy), easy
assert easy["sources"] == ["%(name)s-%(version)s.tar.gz"], easy["sources"]
assert f"git archive --prefix=drystone-{version}/ -o drystone-{version}.tar.gz HEAD" in read(recipe)
needed = {name.lower() for name, _ in easy["dependencies"]}
for name in set(LIBRARIES.values()) - {"mpi"}:   # which is of the toolchain
  assert name.replace("-", "") in needed, f"EasyBuild's recipe lacks {name}"
known([easy["configopts"]], cmake)
python.append(easy["modextrapaths"]["PYTHONPATH"])

# a build that nobody asks for tests has none
fresh = os.path.abspath("fresh")
shutil.rmtree(fresh, ignore_errors=True)
subprocess.run(["cmake", "-S", root, "-B", fresh], check=True, stdout=subprocess.DEVNULL)
targets = subprocess.run(["cmake", "--build", fresh, "--target", "help"], check=True, text=True,
                         stdout=subprocess.PIPE).stdout.split()
assert "drystone" in targets and "drystone_library" in targets, targets
assert not [name for name in targets if name.startswith("unit_")], targets
shutil.rmtree(fresh)

# both: what they promise is installed
prefix = os.path.abspath("prefix")
shutil.rmtree(prefix, ignore_errors=True)
subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
               stdout=subprocess.DEVNULL)
for path in easy["sanity_check_paths"]["files"]:
  assert os.path.isfile(os.path.join(prefix, path)), path
for path in easy["sanity_check_paths"]["dirs"]:
  assert os.path.isdir(os.path.join(prefix, path)), path
assert len(python) == 2
for path in python:
  assert os.path.isfile(os.path.join(prefix, path, "drystone/__init__.py")), path
print(f"{len(asked)} packages of Spack, {len(needed)} of EasyBuild")
