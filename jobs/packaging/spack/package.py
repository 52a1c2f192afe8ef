"""Recipe for Spack. In a checkout of drystone:

    mkdir -p ~/drystone-repo/packages/drystone
    cp jobs/packaging/spack/package.py ~/drystone-repo/packages/drystone/
    printf 'repo:\n  namespace: drystone\n' > ~/drystone-repo/repo.yaml
    spack repo add ~/drystone-repo
    spack dev-build drystone@0.2.0
"""
# test: needs python3
from spack.package import depends_on, license, variant, version

try:   # of Spack 1.0 and later
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    from spack.package import CMakePackage


class Drystone(CMakePackage):
    """Simulates large assemblies of contacting blocks and stones by Non-Smooth Contact Dynamics."""

    license("Apache-2.0")
    version("0.2.0")

    variant("python", default=True,
            description="what its Python package needs: NumPy, h5py, matplotlib")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("hdf5@1.10:+mpi")
    depends_on("metis@5:")
    depends_on("suite-sparse")
    depends_on("libyaml")
    depends_on("jansson")
    for package in ("python@3.9:", "py-numpy", "py-h5py", "py-matplotlib"):
        depends_on(package, type="run", when="+python")

    def cmake_args(self):
        return [self.define("DRYSTONE_TESTS", False), self.define("CMAKE_BUILD_TYPE", "Release"),
                self.define("HDF5_ROOT", self.spec["hdf5"].prefix)]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.lib.python3.join("dist-packages"))
