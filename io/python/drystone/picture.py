"""Pictures and movies of results by ParaView, without a screen.

    python3 -m drystone picture FOLDER [-o FILE.png] [--time T] [--by WHAT] [--forces WHAT]
                                [--hinges ANGLE] [--from X,Y,Z] [--zoom Z] [--size WIDTH,HEIGHT]
                                [--enlarge N]
    python3 -m drystone movie FOLDER [-o FILE.gif] [--every N] ...

ParaView draws in a process of its own, under Xvfb. Either may fail on a busy machine for no reason
of ours: they are asked again, and a picture that is blank counts as a failure.
"""
# test: needs python3 python3-matplotlib python3-pil paraview xauth xvfb

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from matplotlib import image

TRIES = 8          # a screen failed five times in a row on a busy machine
PATIENCE = 60      # s for the first picture, and half a minute for each
COLOURED = 1e-3    # share of the pixels that are not white, at least
BY = ("displacement", "speed", "stress", "body", "material", "tension", "von_mises")
FORCES = ("none", "chains", "arrows", "thrust")
SIDES = (16, 16384)   # pixels


class PictureError(RuntimeError):
    """No picture came; the text says why."""


def _is_blank(path):
    pixels = image.imread(path)[:, :, :3]
    return float((pixels.min(axis=2) < 0.98).mean()) < COLOURED


def _command():
    tool = shutil.which("pvbatch")
    if not tool:
        raise PictureError("pictures need ParaView: install the packages paraview, xvfb and xauth")
    screen = shutil.which("xvfb-run")
    if not screen and not os.environ.get("DISPLAY"):
        raise PictureError("pictures need a screen, or the packages xvfb and xauth")
    scene = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scene.py")
    return ([screen, "-a"] if screen else []) + [tool, scene]


def _run(command, seconds):
    """The end of a command, or None where it takes longer; nothing that it started is left."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, start_new_session=True) as child:
        try:
            said = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None
    return subprocess.CompletedProcess(command, child.returncode, *said)


def _reason(ran):
    """The last line that ParaView or its screen said, but those of a crash."""
    lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    if "SIGABRT" in ran.stderr or ran.returncode in (-6, 134):
        return "ParaView had no connection to its screen, or broke off"
    return lines[-1] if lines else f"ParaView ended with code {ran.returncode}"


def _marks(folder, times, forces, hinges):
    """Lines of thrust and hinges of the frames that are nearest to these times: a dict for each."""
    # a folder may be drawn without HDF5's package where neither is asked for
    from drystone import measures
    from drystone.results import Results

    results, made = Results(folder), []
    if not results.frames:
        raise PictureError(f"{folder} holds no frames")
    for wanted in times:
        frame = results.frame(-1 if wanted is None else float(wanted))
        interfaces = results.interfaces(frame)
        if not interfaces:
            raise PictureError(f"{folder} has no interfaces: the run was made without "
                               "output.frames.fields: interfaces")
        marks = {"thrust": [], "hinges": []}
        if forces == "thrust":
            lines, _ = measures.thrust_segments(results.bodies(frame), interfaces)
            marks["thrust"] = lines.tolist()
        if hinges is not None:
            marks["hinges"] = measures.hinges(interfaces, hinges)["point"].tolist()
        made.append(marks)
    if forces == "thrust" and not any(marks["thrust"] for marks in made):
        raise PictureError(f"{folder}: no body is pressed by just two others, so there is no line "
                           "of thrust; chains show forces of any assembly")
    return made


def draw(folder, pictures, times=(None,), by="displacement", forces="none", hinges=None,
         viewer=(-1, -2, 0.8), zoom=1.0, size=(1000, 800), enlarge=1.0):
    """Draws frames of a folder, one picture for each time (s; None: the last frame).

    by       colours dynamic bodies by "displacement", "speed", "stress" (mean pressure of the
             body), "body" (neighbours differ) or "material"; bodies of finite elements by
             "tension" (largest principal stress at nodes) or "von_mises", the others grey
    forces   "none", "chains" (tubes as wide as their force), "arrows" (at the joints) or "thrust"
             (the line of thrust through bodies that two others press, a ball at each joint)
    hinges   joints that turned by more than this angle (rad) and press get a ball; None: none do
    viewer   the direction in which the viewer stands
    enlarge  how much larger displacements of nodes are drawn, by tension and von_mises

    Raises PictureError where ParaView says why, or does not draw in several tries.
    """
    for name, word, known in (("by", by, BY), ("forces", forces, FORCES)):
        if word not in known:
            raise ValueError(f"{name}: expected {', '.join(known)}, found '{word}'")
    if not any(viewer):
        raise ValueError("the viewer stands in no direction: 0,0,0")
    if not all(SIDES[0] <= side <= SIDES[1] for side in size):
        raise ValueError(f"size: expected {SIDES[0]} to {SIDES[1]} pixels a side, found "
                         f"{', '.join(f'{side:g}' for side in size)}")
    wishes = {"folder": os.path.abspath(folder), "times": list(times), "by": by, "forces": forces,
              "viewer": [float(x) for x in viewer], "zoom": float(zoom),
              "size": [int(side) for side in size], "enlarge": float(enlarge)}
    if forces == "thrust" or hinges is not None:
        wishes["marks"] = _marks(folder, times, forces, hinges)
    command = _command()
    with tempfile.TemporaryDirectory() as room:
        made = [os.path.join(room, f"{k:06d}.png") for k in range(len(pictures))]
        path = os.path.join(room, "wishes.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**wishes, "pictures": made}, file)
        said = ""
        for attempt in range(TRIES):
            time.sleep(0.5 * attempt)
            ran = _run([*command, path], PATIENCE + 30 * len(pictures))
            if ran is None:
                said = "ParaView does not answer"
                continue
            said = _reason(ran)
            if folder and wishes["folder"] in said:   # what the results lack, no retry will bring
                raise PictureError(said)
            if all(os.path.exists(one) for one in made):
                blank = [k for k, one in enumerate(made) if _is_blank(one)]
                if not blank:
                    for one, picture in zip(made, pictures):
                        shutil.copyfile(one, picture)
                    return list(pictures)
                said = f"picture {blank[0] + 1} of {len(made)} is blank"
        raise PictureError(f"no picture in {TRIES} tries: {said}")


def movie(folder, path, every=1, seconds=0.1, **wishes):
    """Draws every so many frames of a folder as an animated GIF; returns how many there are.

    seconds   for which each picture stands
    """
    from PIL import Image

    from drystone.results import Results

    frames = Results(folder).frames[::-1][::every][::-1]
    if not frames:
        raise PictureError(f"{folder} holds no frames")
    with tempfile.TemporaryDirectory() as room:
        pictures = [os.path.join(room, f"{k:06d}.png") for k in range(len(frames))]
        draw(folder, pictures, [frame.time for frame in frames], **wishes)
        shown = [Image.open(one).convert("RGB") for one in pictures]
        shown[0].save(path + ".tmp", format="GIF", save_all=True, append_images=shown[1:],
                      duration=int(1000 * seconds), loop=0)
    os.replace(path + ".tmp", path)
    return len(frames)


def _numbers(option, text, example):
    """Numbers that commas part, as many as in the example."""
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if len(values) != len(example.split(",")):
        raise ValueError(f"option {option}: expected numbers as {example}, found '{text}'")
    return values


def call(arguments):
    """What `picture` and `movie` do; the exit code."""
    try:
        wishes = {"by": arguments.by, "forces": arguments.forces, "hinges": arguments.hinges,
                  "zoom": arguments.zoom, "enlarge": arguments.enlarge,
                  "viewer": _numbers("--from", arguments.viewer, "-1,-2,0.8"),
                  "size": _numbers("--size", arguments.size, "1000,800")}
        if arguments.command == "picture":
            path = arguments.output or os.path.join(arguments.folder, "picture.png")
            draw(arguments.folder, [path], [arguments.time], **wishes)
        else:
            path = arguments.output or os.path.join(arguments.folder, "movie.gif")
            movie(arguments.folder, path, arguments.every, **wishes)
    except (PictureError, ValueError, FileNotFoundError) as error:
        print(f"drystone: {error}", file=sys.stderr)
        return 2
    print(path)
    return 0
