"""One HTML file about a run: what it was, how it ended, its forces, energies, probes and times.

    python3 -m drystone report FOLDER [-o FILE]

The file holds its pictures itself and needs neither a network nor a screen.
"""
# test: needs python3 python3-numpy

import base64
import html
import io
import os
import re
import warnings

import numpy

from drystone import figures, measures
from drystone.results import DamagedError, Results

GRADED = 20   # bodies of different sizes, from which on a grading tells something
STYLE = """
body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:62em;margin:2em auto;padding:0 1em}
h1{font-size:1.5em;margin-bottom:.2em}
h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #ccc}
table{border-collapse:collapse;margin:.6em 0} td,th{padding:.15em .8em .15em 0;text-align:left;
vertical-align:top} td.n{text-align:right;font-variant-numeric:tabular-nums}
pre{background:#f5f3ef;padding:.8em;overflow-x:auto;font-size:.85em} img{max-width:100%}
.holds{color:#1d6b2f} .fails{color:#b02a1e} .undecided{color:#9a6a00} figcaption{color:#666}
"""


def _escape(value):
    return html.escape(str(value))


def _number(value):
    value = float(value)
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e9 else f"{value:.4g}"


def _table(rows, heading=()):
    """Rows of texts and numbers as HTML."""
    def cell(value):
        if isinstance(value, (int, float, numpy.number)):
            return f'<td class="n">{_number(value)}</td>'
        return f"<td>{_escape(value)}</td>"
    head = "<tr>" + "".join(f"<th>{_escape(word)}</th>" for word in heading) + "</tr>"
    body = "".join("<tr>" + "".join(cell(value) for value in row) + "</tr>" for row in rows)
    return f"<table>{head if heading else ''}{body}</table>"


def _picture(draw, caption="", **size):
    """A figure that draw(axes) makes, as a part of the page; what it returns joins the caption."""
    figure, axes = figures.new(**size)
    told = draw(axes)
    room = io.BytesIO()
    figures.save(figure, room)
    code = base64.b64encode(room.getvalue()).decode()
    text = ": ".join(part for part in (caption, told) if part)
    return (f'<figure><img alt="{_escape(text)}" src="data:image/png;base64,{code}">'
            f"<figcaption>{_escape(text)}</figcaption></figure>")


def _thin(history, most=4000):
    """Every so many lines of a long history, the last one among them."""
    count = len(history["step"])
    every = max(1, -(-count // most))
    return {name: values[::-1][::every][::-1] for name, values in history.items()}


class Report:
    """What the parts of the page are made from, read once."""

    def __init__(self, folder):
        self.results = Results(folder)
        try:
            self.history = self.results.history()
        except FileNotFoundError:
            self.history = {"step": numpy.array([], int)}
        self.steps = len(self.history["step"])
        self.framed = len(self.results.frames) > 0
        self.bodies = self.results.bodies() if self.framed else {}
        self.interfaces = self.results.interfaces() if self.framed else {}
        self.outcome = self.results.outcome()
        self.log = _read_log(folder)

    def parts(self):
        """Titles and texts of the page, those without anything to tell left out."""
        for title, make in (
                ("How it ended", self.end), ("Warnings", self.warnings),
                ("Elevation", self.elevation), ("Stages", self.stages),
                ("Energy", self.energy), ("How well steps are solved", self.convergence),
                ("Probes", self.probes), ("Forces between bodies", self.forces),
                ("Grading", self.grading), ("Time and ranks", self.times), ("The case", self.case)):
            text = make()
            if text:
                yield title, text

    def end(self):
        rows = []
        if self.steps:
            last = {name: values[-1] for name, values in self.history.items()}
            rows += [("steps", int(last["step"])), ("time", f"{last['time']:.6g} s"),
                     ("dynamic bodies", int(last["bodies"])),
                     ("their mass", f"{last['mass']:.6g} kg"),
                     ("contact points", int(last["points"])),
                     ("kinetic energy", f"{last['kinetic_energy']:.4g} J"),
                     ("unbalanced forces", f"{last['unbalanced']:.3g} of all"),
                     ("deepest overlap of any step", f"{self.history['penetration'].max():.3g} m"),
                     ("steps above the tolerance",
                      f"{int(self.history['unsolved'].sum())} of {self.steps}")]
        if self.framed:
            bodies = self.bodies
            moved = numpy.linalg.norm(bodies["displacement"], axis=1)[bodies["drive"] == 0] \
                if "displacement" in bodies else []
            if len(moved):
                far = bodies["name"][bodies["drive"] == 0][int(numpy.argmax(moved))] \
                    if "name" in bodies else ""
                rows.append(("largest displacement", f"{max(moved):.4g} m" + (f", of {far}" if far
                                                                              else "")))
            frame = self.results.frame()
            rows.append(("last frame", f"step {frame.step}, {frame.time:.6g} s"))
            rows.append(("hash of its state", frame.hash))
        removed = self.results.removed()
        if len(removed["id"]):
            rows.append(("bodies that left",
                         f"{len(removed['id'])}, {removed['mass'].sum():.4g} kg"))
        verdict = ""
        if self.outcome:
            kind = self.outcome.get("verdict", "")
            verdict = (f'<p class="{_escape(kind)}"><b>{_escape(kind)}</b>: '
                       f'{_escape(self.outcome.get("text", ""))}</p>')
        return verdict + _table(rows)

    def warnings(self):
        said = [line for line in self.log if line.startswith(("warning: ", "error: "))]
        return "<ul>" + "".join(f"<li>{_escape(line)}</li>" for line in said) + "</ul>" if said \
            else ""

    def elevation(self):
        if not self.framed:
            return ""
        by = "displacement" if "displacement" in self.bodies else "speed"
        frame = self.results.frame()
        try:
            return _picture(lambda axes: figures.elevation(axes, self.results, by=by),
                            f"t = {frame.time:.6g} s", width=8, height=5)
        except ValueError as reason:
            return f"<p>{_escape(reason)}</p>"

    def stages(self):
        stages = self.outcome.get("stages", [])
        rows = [(stage.get("name", stage.get("stage", "")), stage.get("verdict", ""),
                 stage.get("step", ""), stage.get("time", ""), stage.get("text", ""))
                for stage in stages]
        return _table(rows, ("stage", "verdict", "step", "time (s)", "why")) if rows else ""

    def energy(self):
        if self.steps < 2:
            return ""
        summed = {name.replace("_", " "): numpy.cumsum(values) for name, values
                  in self.history.items() if name.endswith("_work") and values.any()
                  and name != "correction_work"}
        stored = {name.replace("_", " "): self.history[name] for name in
                  ("kinetic_energy", "elastic_energy", "joint_energy", "volume_energy")
                  if self.history[name].any()}
        if not summed and not stored:
            return "<p>Nothing moved.</p>"
        thin = _thin({"step": self.history["step"], "time": self.history["time"], **summed,
                      **stored})
        columns = {name: thin[name] for name in [*stored, *summed]}
        text = _picture(lambda axes: figures.curves(axes, thin["time"], columns, "J"),
                        "energies, and works since the start")
        plain = not any(self.history[name].any() for name in ("volume_energy", "born", "removed"))
        if plain:   # kinetic and elastic energy change by all works
            have = self.history["kinetic_energy"] + self.history["elastic_energy"]
            works = sum(summed.values(), numpy.zeros(self.steps))
            off = (have - have[0]) - (works - works[0])
            scale = max(have.max(), max((abs(w).max() for w in summed.values()), default=0.0))
            text += (f"<p>Energies and works differ by at most {abs(off).max():.2g} J, "
                     f"{abs(off).max() / scale:.2g} of the largest of them.</p>")
        return text

    def convergence(self):
        if self.steps < 2:
            return ""
        thin = _thin(self.history)
        text = _picture(lambda axes: figures.curves(
            axes, thin["time"], {"residual": thin["residual_max"],
                                 "unbalanced forces": thin["unbalanced"]}, "1", True))
        methods, counts = numpy.unique(self.history["method"], return_counts=True)
        sweeps = self.history["sweeps"]
        rows = [("iterations of a step", f"{sweeps.mean():.1f} in the mean, {int(sweeps.max())} at "
                 "most")] + [(f"steps by {name}", int(n)) for name, n in zip(methods, counts)]
        return text + _table(rows)

    def probes(self):
        probes = self.results.probes()
        if not probes or len(probes["step"]) < 2:
            return ""
        thin, names = _thin(probes), [name for name in probes if name not in ("step", "time")]
        groups = {}
        for name in names:
            groups.setdefault(re.sub(r"_(at_[xyz]|turn_[xyz]|[xyz]{1,2}|opening|slip)$", "", name),
                              []).append(name)
        text = ""
        for group, members in groups.items():
            places = [name for name in members if re.search(r"_at_[xyz]$", name)]
            plain = [name for name in members if name not in places]
            text += _picture(lambda axes, plain=plain: figures.curves(
                axes, thin["time"], {name: thin[name] for name in plain}, "as in probes.csv"),
                f"probe {group}", height=2.4)
        peaks = [(name, numpy.nanmin(probes[name]), numpy.nanmax(probes[name]), probes[name][-1])
                 for name in names if numpy.isfinite(probes[name]).any()]
        return text + _table(peaks, ("probe", "least", "largest", "last"))

    def forces(self):
        interfaces = self.interfaces
        if not interfaces:
            return ""
        if not measures.pressed(interfaces).any():
            return "<p>No joint is pressed in the last frame.</p>"
        told, fabric = measures.coordination(self.bodies, interfaces), measures.fabric(interfaces)
        largest = int(numpy.argmax(interfaces["normal_force"]))
        rows = [("joints that press", fabric["joints"]),
                ("neighbours of a dynamic body", f"{told['mean']:.3f} in the mean"),
                ("with fewer than two", f"{100 * told['rattlers']:.1f} %"),
                ("fabric, principal values", ", ".join(f"{v:.3f}" for v in fabric["values"])),
                ("anisotropy of the fabric", f"{fabric['anisotropy']:.3f}"),
                ("largest normal force", f"{interfaces['normal_force'][largest]:.4g} N, between "
                 + " and ".join(self._called(n) for n in interfaces["bodies"][largest])),
                ("widest opening of a joint", f"{interfaces['opening'].max():.3g} m"),
                ("joints turned by more than 1e-3 rad", len(measures.hinges(interfaces)["angle"]))]
        if fabric["joints"] < GRADED:
            return _table(rows)
        told = measures.force_histogram(interfaces)
        return _table(rows) + _picture(lambda axes: figures.force_histogram(axes, told), height=2.4)

    def _called(self, number):
        bodies = self.bodies
        row = numpy.flatnonzero(bodies["id"] == number)
        name = str(bodies["name"][row[0]]) if len(row) and "name" in bodies else ""
        return name or f"body {number}"

    def grading(self):
        bodies = self.bodies
        if "volume" not in bodies:
            return ""
        dynamic = bodies["drive"] == 0
        diameters = numpy.cbrt(6 * bodies["volume"][dynamic] / numpy.pi)
        if dynamic.sum() < GRADED or numpy.ptp(diameters) <= 1e-9 * diameters.max():
            return ""
        return _picture(lambda axes: figures.grading(axes, diameters, bodies["mass"][dynamic]),
                        height=2.4)

    def times(self):
        rows = _stage_times(self.log)
        text = _table(rows, ("stage", "least (s)", "mean (s)", "most (s)", "share")) if rows else ""
        ranks = self.results.ranks()
        if ranks and "work" in ranks:
            work = ranks["work"].sum(axis=0)
            waited = 1e-9 * ranks["wait"].sum(axis=0) if "wait" in ranks else None
            rows = [(f"rank {k}", float(work[k]), float(100 * work[k] / work.sum()),
                     float(ranks["bodies"][-1][k]) if "bodies" in ranks else "",
                     "" if waited is None else float(waited[k]))
                    for k in range(len(work))]
            text += _table(rows, ("", "counted work", "share (%)", "bodies at the end",
                                  "in messages, waits included (s)"))
        return text

    def case(self):
        if not self.framed:
            return ""
        told = self.results.provenance()
        rows = [(name, told[name]) for name in ("case_path", "version", "compiler", "build_type",
                                                "ranks", "overrides", "meshes") if told.get(name)]
        return _table(rows) + f"<pre>{_escape(told.get('case_text', ''))}</pre>"


def _read_log(folder):
    """Lines of the log of the run; none where there is no such file."""
    try:
        with open(os.path.join(folder, "run.log"), encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


def _stage_times(log):
    """The last table of times in a log, as rows."""
    heading = "stage min s mean s max s share".split()
    begins = [k for k, line in enumerate(log) if line.split() == heading]
    rows = []
    for line in log[begins[-1] + 1:] if begins else []:
        words = line.split()
        if len(words) == 5 and words[4].endswith("%"):
            rows.append((words[0], *(float(word) for word in words[1:4]), words[4]))
        else:
            if len(words) == 2 and words[0] == "total":
                rows.append(("total", "", float(words[1]), "", ""))
            break
    return rows


def make(folder):
    """The page about a folder of results, as a text; raises FileNotFoundError, DamagedError."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        report = Report(folder)
        parts = list(report.parts())
    title = os.path.basename(os.path.abspath(folder))
    if report.framed:
        text = report.results.provenance().get("case_text", "")
        found = re.search(r"^title: *(.+?) *$", text, re.M)
        title = found.group(1).strip("'\"") if found else title
    remarks = "".join(f"<p>{_escape(one.message)}</p>" for one in heard
                      if issubclass(one.category, UserWarning))
    body = "".join(f"<h2>{_escape(name)}</h2>{text}" for name, text in parts)
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{_escape(title)}</title><style>{STYLE}</style></head><body>"
            f"<h1>{_escape(title)}</h1><p>{_escape(os.path.abspath(folder))}</p>{remarks}{body}"
            "</body></html>\n")


def write(folder, path=None):
    """Writes the page, whole or not at all, into the folder or to a path; returns its path."""
    path = path or os.path.join(folder, "report.html")
    text = make(folder)
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)
    return path
