"""The table of keys: what the reader of cases knows, with the words of io/README.md."""
# test: needs python3
import concurrent.futures
import os
import re
import subprocess
import tempfile

# Tables of io/README.md by their heading: where their keys lie in a case. A table that is not here
# has no keys of a case.
PLACES = {"key": {"Keys": "", "Ground": ""},
          "key of every entry": "bodies.*.",
          "key of `arch`": "bodies.*.arch.",
          "key of `vault`": "bodies.*.vault.",
          "key of `dome`": "bodies.*.dome.",
          "key of `column`": "bodies.*.column.",
          "key of `wall`": "bodies.*.wall.",
          "key of `mesh`": "bodies.*.mesh.",
          "key of `rubble`": "bodies.*.rubble.",
          "key of `stones`": "bodies.*.stones.",
          "key of an item of `where`": "bodies.*.where.*.",
          "key of `motion`": "bodies.*.motion.",
          "key of a stage": "stages.*.",
          "key of an entry of `loads`": "loads.*.",
          "key of `wheel`": "loads.*.wheel.",
          "key of `faces`": "loads.*.faces.",
          "key of an entry": "joints.*.",
          "key of `servos.N`": "servos.*."}


# Mappings that hold what others do: the words about these hold for them, but for defaults.
TWINS = (*((f"stages.*.{name}.", f"{name}.")
           for name in ("base", "contacts", "damping", "loads", "output", "tilt")),
         ("stages.*.motions.*.motion.", "bodies.*.motion."),
         ("stages.*.until.", "time.until."),
         ("bodies.*.where.*.", "bodies.*."),
         ("bodies.*.grid.", "bodies.*."),
         ("bodies.*.parts.*.", "bodies.*."),
         ("bodies.*.stones.fill.mesh.", "bodies.*.mesh."),
         ("bodies.*.stones.shapes.*.", "bodies.*."),
         ("bodies.*.wall.openings.*.arch.", "bodies.*.arch."))


class KeyTableError(Exception):
    pass


def cells_of(line):
    """Cells of a row of a table; a bar within backticks parts nothing."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def slug(heading):
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def described(text):
    """By key, as the program writes it: unit, default, words and section of io/README.md."""
    found, section, head = {}, "", None
    for line in text.split("\n"):
        if line.startswith("#"):
            section, head = line.lstrip("# ").strip(), None
        elif not line.startswith("|"):
            head = None
        elif head is None:
            head = cells_of(line)
        elif not line.startswith("|---"):
            place = PLACES.get(head[0])
            if isinstance(place, dict):
                place = place.get(section)
            if place is None:
                continue
            cells = dict(zip(head, cells_of(line)))
            for name in re.findall(r"`([^`]+)`", cells[head[0]]):
                key = place + re.sub(r"\b(NAME|N)\b", "*", name.split(":")[0])
                if re.fullmatch(r"[\w.*]+", key):
                    told = (cells.get(name, "") for name in ("unit", "default", "what"))
                    found[key] = (*told, section)
    return found


def sections_of(text):
    """Sections of io/README.md with their words, for keys that have no row of a table."""
    parts = re.split(r"^(#+ .*)$", text, flags=re.MULTILINE)
    return [(head.lstrip("# ").strip(), body) for head, body in zip(parts[1::2], parts[2::2])]


def words_of(key, words):
    """Unit, default, words and section of a key, or of one that means the same elsewhere."""
    if key in words:
        return words[key]
    for place, twin in TWINS:
        if key.startswith(place) and twin + key[len(place):] in words:
            unit, _, what, section = words[twin + key[len(place):]]
            return unit, "", what, section
    return "", "", "", ""


def section_of(key, words, sections):
    """The section that speaks of a key without a row, or None: that of the rows below it; or of
    the nearest row above it, where it names the key; or the first that does, the one with the list
    of all keys last."""
    parts = key.rstrip(".*").split(".")
    below = [told[3] for name, told in words.items() if name.startswith(".".join(parts) + ".")]
    if below:
        return below[0]
    written = re.compile(rf"`[^`\n]*\b{parts[-1]}\b[^`\n]*`")
    naming = [head for head, body in sections if written.search(body)]
    for count in range(len(parts) - 1, 0, -1):
        section = words_of(".".join(parts[:count]), words)[3]
        if section in naming:
            return section
    return min(naming, key=lambda head: head == "Keys", default=None)


def known(program):
    """Keys of the reader: default, and what they may do in a case that goes on."""
    told = subprocess.run([program, "help", "--keys"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    rows = (line.split("\t") for line in told.splitlines())
    return {key: (standard, rule) for key, standard, rule in rows}


def rule_of(key, reader):
    """That of the key, else of the nearest one above it; None where the reader has neither."""
    while key not in reader:
        if "." not in key:
            return None
        key = key.rsplit(".", 1)[0]
    return reader[key][1]


# A case with an entry of each list, into which a key is set to see whether the reader knows it.
SAMPLE = """units: SI
gravity: [0, 0, -9.81]
time: {step: 1e-3, end: 1}
materials: {stone: {density: 2000}}
contacts: [{between: [stone, stone]}]
bodies:
  - {box: [1, 1, 1], material: stone, name: block, where: [{number: 0}],
     motion: {velocity: [0, 0, 0]}}
loads: [{on: block, force: [1, 0, 0], wheel: {}, faces: {}}]
servos: [{on: block}]
joints: [{ball: [0, 0, 0]}]
stages: [{name: one, motions: [{on: block}], servos: [{on: block}]}]
"""
SHAPES = ("arch", "vault", "dome", "column", "wall", "mesh", "rubble", "stones")


def is_unknown(program, key, folder):
    """Whether the reader calls a key unknown; what it says of the value does not matter."""
    words = key.replace("materials.*", "materials.stone").replace("*", "0")
    text, parts = SAMPLE, key.split(".")
    if len(parts) > 2 and parts[2] in SHAPES:
        inside = "{span: 4}" if parts[2] == "arch" else "{}"   # the arch of `radius` has other keys
        text = text.replace("box: [1, 1, 1]", f"{parts[2]}: {inside}")
    path = os.path.join(folder, key.replace("*", "N") + ".yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([program, "check", path, "--set", words + "=1"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
    return bool(re.search(rf"\b{re.escape(parts[-1])}: unknown key", done.stdout))


def unknown(program, names):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:
        told = pool.map(lambda name: is_unknown(program, name, folder), names)
        return [name for name, lost in zip(names, told) if lost]


def page(program, root):
    with open(os.path.join(root, "io/README.md"), encoding="utf-8") as file:
        text = file.read()
    reader, words, sections = known(program), described(text), sections_of(text)
    tables, lost = {}, []
    for key in sorted(set(reader) | set(words)):
        rule = rule_of(key, reader)
        if rule is None:
            raise KeyTableError(f"io/README.md describes {key}, which the reader does not know")
        unit, default, what, section = words_of(key, words)
        section = section or section_of(key, words, sections)
        if not section:
            lost.append(key)
            continue
        standard = reader.get(key, ("", ""))[0]
        default = default or (f"`{standard}`" if standard else "")
        what = re.sub(r"\[([^\]]+)\]\(#[^)]*\)", r"\1", what)
        may = rule.replace("--allow", "`--allow`")
        more = f"*In a restart it {may}.* [{section}](../../io/README.md#{slug(section)})"
        top = key.split(".")[0]
        if top not in tables:
            tables[top] = [f"## {top}", "", "| key | unit | default | what |", "|---|---|---|---|"]
        what = what + ". " if what else ""
        tables[top].append(f"| `{key}` | {unit} | {default} | {what}{more} |")
    if lost:
        raise KeyTableError("io/README.md says nothing of keys that the reader knows: "
                            + ", ".join(lost))
    lost = unknown(program, sorted(set(words) - set(reader)))
    if lost:
        raise KeyTableError("io/README.md describes keys that the reader does not know: "
                            + ", ".join(lost))
    count = sum(len(rows) - 4 for rows in tables.values())
    lines = ["# Keys of a case", "",
             f"All {count} keys, from the program's reader (`drystone help --keys`) and the words "
             "of [Files](../../io/README.md). `*` is a number in a list, or a name.", ""]
    for rows in tables.values():
        lines += rows + [""]
    return "\n".join(lines)
