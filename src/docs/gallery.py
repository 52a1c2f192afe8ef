"""The gallery of the documentation: 21 cases, each with its picture, numbers and run time.

A case is run here, or taken from where its job was run already (FOLDER/jobs.NAME/results). Numbers
are those that the case expects of itself, in its comments `# expect: NAME RELATION NUMBER`.
"""
# test: needs python3 python3-numpy python3-matplotlib
import base64
import io
import json
import os
import re
import shutil
import subprocess

# Name, case, the job that runs it or options of a run of its own, options of the picture, words.
CASES = (
    ("arch", "arch/arch", "arch.run", "--forces thrust --from 0,-1,0.15 --by stress",
     "A semicircular arch a little thicker than it must be. The line of thrust stays inside."),
    ("thin arch", "arch/thin", "arch.thin", "--time 1.6 --hinges 1e-2 --from 0,-1,0.15",
     "The same arch below its critical thickness: five hinges, and it falls."),
    ("arch with a tie", "tied-arch/stands", "tied-arch.run", "--forces chains --from -0.3,-1,0.3",
     "Feet on ice, held together by a tie that carries the thrust."),
    ("tie that yields", "tied-arch/falls", "tied-arch.falls", "--time 1.4 --from -0.3,-1,0.3",
     "The same arch under a growing weight: the tie yields at its strength."),
    ("lintel of finite elements", "lintel/lintel", "lintel.run",
     "--by tension --enlarge 200 --from -0.2,-1,0.15",
     "A lintel on dry piers bends under a wall; a tie holds its bearings. 200 times its sag."),
    ("bridge", "bridge/bridge", "bridge.run", "--by stress --from -0.6,-1,0.5",
     "A segmental arch on piers, with backing between spandrel walls, from a dozen lines."),
    ("dome", "dome/dome", "dome.run", "--by stress --from -1,-1,1.2",
     "Eight hoops in running bond with an oculus."),
    ("wall", "wall/wall", "wall.run", "--by stress --forces chains --from -0.4,-1,0.25",
     "A dry wall in running bond under its weight."),
    ("wall with a door and a window", "window/window", "window.run",
     "--by stress --from -0.4,-1,0.25",
     "English bond, a lintel and an arch over the openings."),
    ("mechanism of that wall", "window/window", "statics --weight 1,0,0 --mechanism",
     "--from -0.4,-1,0.25",
     "What limit analysis says would move if the wall were pushed sideways by 0.35 of its weight."),
    ("parapet with mortar", "parapet/parapet", "parapet.run", "--from -0.6,-1,0.5",
     "Upper courses in mortar, a shaking table, and wind on the pinnacles: it holds."),
    ("parapet without mortar", "parapet/dry", "parapet.dry", "--time 0.9 --from 0.6,1,0.5",
     "The same wall dry: its pinnacles turn over."),
    ("portal", "portal/portal", "portal.run", "--from -0.4,-1,0.25",
     "Columns of drums and an architrave settle, are shaken by a record, and come to rest."),
    ("portal under twice the record", "portal/falls", "portal.falls", "--from -0.4,-1,0.25",
     "The run ends as a stone has moved by 0.3 m."),
    ("bell", "bell/bell", "bell.run", "--time 1 --from -0.7,-1,0.3",
     "A hollow bell of convex parts on a hinge, with a clapper that strikes it."),
    ("rubble", "rubble/rubble", "rubble.run", "--by body --zoom 1.3",
     "Stones of several shapes, some of them not convex, dropped into a box."),
    ("silo", "silo/silo", "silo.run", "--by body",
     "Spheres and polyhedra poured through a funnel onto a table."),
    ("packing", "packing/packing", "packing.run", "--by body",
     "Stones of a sieve curve, grown in place in a drum, under a lid."),
    ("disk on a joint that gives", "layers/disk", "run --set output.frames.every=0.1",
     "--by speed --from -0.5,-1,0.8 --time 0.1",
     "The volumetric law: a disk spins to rest under friction of its face."),
    ("cylinder on a joint that gives", "layers/cylinder", "run --set output.frames.every=0.5",
     "--by speed --from -0.5,-1,0.5", "The same law: a cylinder rolls."),
    ("pillar", "library/push", "run --set output.frames.every=0.5 --set time.end=1",
     "--by stress --forces chains --from -0.5,-1,0.4",
     "Three drums on a plinth, for the examples of the library in C and Python."),
)



class GalleryError(Exception):
    pass


def call(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise GalleryError(f"{' '.join(words)}: code {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


class Gallery:
    """root: the checkout; out: where results go; jobs: a folder of results of tests, or None."""

    def __init__(self, root, program, out, jobs):
        self.root, self.program, self.out, self.jobs = root, program, out, jobs
        os.makedirs(os.path.join(out, "results"), exist_ok=True)

    def case_file(self, case):
        return os.path.join(self.root, "jobs", case + ".yaml")

    def results_of(self, name, case, how):
        """The folder of results, and the command that makes it."""
        folder = os.path.join(self.out, "results", name.replace(" ", "-"))
        word = how.split()[0]
        if word == "statics":
            command = f"drystone {how} mechanism jobs/{case}.yaml"
            self.make(folder, ["statics", self.case_file(case)] + how.split()[1:] + [folder])
            return folder, command
        if word != "run":
            script = how.replace(".", "/") + ".sh"
            taken = os.path.join(self.jobs or "", "jobs." + how, "results")
            if self.jobs and os.path.isdir(taken):
                return taken, f"jobs/{script}"
            options = []
        else:
            script, options = None, how.split()[1:]
        self.make(folder, ["run", self.case_file(case), "-o", folder] + options)
        asked = " ".join(["drystone run", f"jobs/{case}.yaml"] + options)
        return folder, f"jobs/{script}" if script else asked

    def make(self, folder, words):
        """Runs the program, once; what was broken off begins anew."""
        if os.path.exists(folder + ".done"):
            return
        shutil.rmtree(folder, ignore_errors=True)
        call([os.path.join(self.root, "tests/mpirun.sh"), "1", self.program] + words)
        with open(folder + ".done", "w", encoding="utf-8"):
            pass

    def numbers(self, case, folder):
        """What is expected, as the jobs judge it: rows of name, relation and number, and value."""
        judged = call(["bash", "-c", 'source "$0" && job_judge "$@"',
                       os.path.join(self.root, "jobs/job.sh"), self.case_file(case), folder,
                       self.program])
        expected = re.findall(r"^expected +(\S+) (\S+ \S+)$", judged, re.MULTILINE)
        happened = re.findall(r"^happened +\S+ = (\S+) ", judged, re.MULTILINE)
        return [(name, limit, f"{float(value):.3g}")
                for (name, limit), value in zip(expected, happened, strict=True)]

    def picture(self, folder, path, options):
        """Draws it and returns the share of it that has a colour; refuses one as good as empty."""
        words = [self.program, "picture", folder, "-o", path, "--size", "800,600"]
        call(words + options.split())
        return coloured(path)

    def report(self, folder, path):
        """Makes the report of a run and returns the number of its pictures; none may be empty."""
        call([self.program, "report", folder, "-o", path])
        with open(path, encoding="utf-8") as file:
            drawn = re.findall(r'src="data:image/png;base64,([^"]+)"', file.read())
        if not drawn:
            raise GalleryError(f"{path} has no picture")
        for picture in drawn:
            coloured(io.BytesIO(base64.b64decode(picture)), 0.002, path)
        return len(drawn)

    def seconds(self, folder):
        """Run time by the last table of the log."""
        with open(os.path.join(folder, "run.log"), encoding="utf-8") as file:
            found = re.findall(r"^total +([0-9.]+)$", file.read(), re.MULTILINE)
        return float(found[-1]) if found else None


def coloured(picture, least=0.01, name=None):
    """The share of pixels with a colour; a picture, path or file, with less is refused."""
    import numpy
    from matplotlib import image
    pixels = image.imread(picture)[:, :, :3]
    share = float((numpy.ptp(pixels, axis=2) > 0.1).mean())
    if share < least:
        raise GalleryError(f"{name or picture} is as good as empty: {share:.4f} has a colour")
    return share


def statics_numbers(gallery, case, how):
    words = [gallery.program, "statics", gallery.case_file(case), "--json"] + how.split()[1:-1]
    most = json.loads(call(words))["most"]
    if abs(most["kinematic"] - most["static"]) > 1e-6 * most["static"]:
        raise GalleryError(f"{case}: bounds {most['static']} and {most['kinematic']} are apart")
    return [("share of its weight, by forces", "", f"{most['static']:.6f}"),
            ("share of its weight, by the mechanism", "", f"{most['kinematic']:.6f}")]


def pages(gallery, pictures, say):
    """The Markdown of the gallery; draws all pictures into a folder beside it."""
    os.makedirs(pictures, exist_ok=True)
    text = ["# Gallery", "",
            f"{len(CASES)} cases that come with the program, made as this page was. Times are of "
            "2 ranks on the machine that made it.", ""]
    for name, case, how, options, words in CASES:
        folder, command = gallery.results_of(name, case, how)
        path = os.path.join(pictures, name.replace(" ", "-") + ".png")
        share = gallery.picture(folder, path, options)
        statics = how.startswith("statics")
        rows = statics_numbers(gallery, case, how) if statics else gallery.numbers(case, folder)
        if not rows:
            raise GalleryError(f"{case} says nothing of what to expect")
        seconds = None if statics else gallery.seconds(folder)
        told = f"{name}: {share:.2f} coloured, {len(rows)} numbers as expected"
        if not statics:
            report = os.path.join(gallery.out, "results", name.replace(" ", "-") + ".html")
            told += f", {gallery.report(folder, report)} pictures in its report"
        say(told)
        text += [f"## {name[0].upper() + name[1:]}", "", words, "",
                 f"![{name}](pictures/{os.path.basename(path)})", "", f"    {command}", "",
                 "| number | expected | happened |", "|---|---|---|"]
        text += [f"| `{row[0]}` | {row[1]} | {row[2]} |" for row in rows]
        text += ["", f"Case: [{case}.yaml](../../jobs/{case}.yaml)."
                 + (f" Run time: {seconds:.1f} s." if seconds else ""), ""]
    return "\n".join(text)
