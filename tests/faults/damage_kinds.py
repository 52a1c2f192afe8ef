"""Ways in which a checkpoint can be damaged.

A damage is a function of (generator of random numbers, Generation, Donors) that changes the bytes
of a generation's two files in place and says in words what it did. What it leaves is never what
was there.
"""
# test: needs python3 python3-h5py python3-numpy

import io
import re

import h5py
import numpy

MANIFEST_BLOCK = 1 << 20
PAGE = 4096


def _table():
  entries = []
  for byte in range(256):
    for _ in range(8):
      byte = byte >> 1 ^ (0x82f63b78 if byte & 1 else 0)
    entries.append(byte)
  return entries


CRC_TABLE = _table()


def crc32c(data):
  crc = 0xffffffff
  table = CRC_TABLE
  for byte in data:
    crc = table[(crc ^ byte) & 0xff] ^ crc >> 8
  return crc ^ 0xffffffff


class Generation:
  """Bytes of a checkpoint's two files; None: the file is missing."""

  def __init__(self, step, data, manifest):
    self.step, self.data, self.manifest = step, data, manifest

  def copy(self):
    return Generation(self.step, self.data, self.manifest)

  def get(self, which):
    return self.manifest if which == "manifest" else self.data

  def put(self, which, content):
    assert content != self.get(which), "a damage that changes nothing"
    if which == "manifest":
      self.manifest = content
    else:
      self.data = content


class Donors:
  """Other files: previous, the generation before; other, the same step of another run of the same
  case with another --set; frame, bytes of a frame; small, whether checksums can be made here."""

  def __init__(self, previous, other, frame, small):
    self.previous, self.other, self.frame, self.small = previous, other, frame, small


def _either(random):
  return random.choice(("manifest", "data"))


def flip_bit(random, target, donors):
  which = _either(random)
  content = bytearray(target.get(which))
  place = random.randrange(len(content))
  bit = random.randrange(8)
  content[place] ^= 1 << bit
  target.put(which, bytes(content))
  return f"bit {bit} of byte {place} of the {which} flipped"


def cut(random, target, donors):
  which = _either(random)
  content = target.get(which)
  way = random.choice(("anywhere", "empty", "last byte", "page", "garbage", "zeros", "missing"))
  if way == "missing":
    which, content = "data", None   # a manifest that is missing is a checkpoint never completed
  elif way == "garbage":
    content += random.randbytes(random.randrange(1, 9000))
  elif way == "zeros":
    content += bytes(random.randrange(1, 9000))
  else:
    content = content[:{"anywhere": random.randrange(len(content)), "empty": 0, "last byte": -1,
                        "page": (len(content) - 1) // PAGE * PAGE}[way]]
  target.put(which, content)
  return f"{which}: {way}, now {'-' if content is None else len(content)} bytes"


def zero_page(random, target, donors):
  which = random.choice(("manifest", "data", "data", "data"))
  content = target.get(which)
  pages = [page for page in range(0, len(content), PAGE) if any(content[page:page + PAGE])]
  page = random.choice(pages)
  end = min(page + PAGE, len(content))
  target.put(which, content[:page] + bytes(end - page) + content[end:])
  return f"page at {page} of the {which} zeroed"


def swap(random, target, donors):
  which = _either(random)
  donor = random.choice(("previous", "other", "frame", "each other"))
  if donor == "each other":
    target.data, target.manifest = target.manifest, target.data
    return "data and manifest change places"
  if donor == "frame":
    target.put("data", donors.frame)
    return "a frame under the name of the data"
  target.put(which, getattr(donors, donor).get(which))
  return f"{which} of the {'generation before' if donor == 'previous' else 'other run'}"


def mix(random, target, donors):
  way = random.choice(("begin", "end", "piece", "both files of the generation before"))
  if way[:4] == "both":
    target.put("data", donors.previous.data)
    target.put("manifest", donors.previous.manifest)
    return way
  donor = random.choice((donors.previous, donors.other)).data
  content = target.data
  common = min(len(content), len(donor))
  while True:
    first, end = sorted((random.randrange(common), random.randrange(common + 1)))
    if way == "begin":
      first = 0
    if way == "end":
      end = common
    mixed = content[:first] + donor[first:end] + content[end:]
    if mixed != content:
      break
  target.put("data", mixed)
  return f"bytes {first} to {end} of the data from another generation"


# -------------------------------------------------------------------------------------------------
# Well-formed lies: checksums fit, what they say does not.


def seal(text):
  """The manifest's text with a last line that fits."""
  body = text[:text.rindex(b"crc32c: ")]
  return body + b"crc32c: %08x\n" % crc32c(body)


def reseal_data(manifest, data):
  """The manifest with size and checksums of these data."""
  blocks = [data[at:at + MANIFEST_BLOCK] for at in range(0, len(data), MANIFEST_BLOCK)]
  lines = b"".join(b"%08x\n" % crc32c(block) for block in blocks)
  text = re.sub(rb"file_bytes: \d+", b"file_bytes: %d" % len(data), manifest)
  text = re.sub(rb"\nblocks: \d+\n([0-9a-f]{8}\n)*", b"\nblocks: %d\n" % len(blocks) + lines, text)
  return seal(text)


LIES = (
  (rb"\nfile_bytes: (\d+)", (b"%d", 1), (b"%d", -1), b"0", b"18446744073709551615", b"-1", b"x"),
  (rb"\nblock_bytes: (\d+)", b"4096", b"0"),
  (rb"\nblocks: (\d+)", (b"%d", 1), b"0", b"18446744073709551615", b"4611686018427387904"),
  (rb"\nhash: (\w+)", b"0" * 32, b"f" * 32, b"", b"g" * 32),
  (rb"\nstep: (\d+)", (b"%d", 1), (b"%d", -1), b"0", b"-1", b"9223372036854775807"),
  (rb"\nbodies: (\d+)", (b"%d", 1), (b"%d", -1), b"0", b"-1", b"1000000000000", b"2147483648"),
  (rb"\ncontacts: (\d+)", (b"%d", 1), (b"%d", -1), b"0", b"-1", b"1000000000000", b"4294967296"),
  (rb"\njoints: (\d+)", (b"%d", 1), (b"%d", -1), b"0", b"-1", b"1000000000000", b"4294967296"),
  (rb"\n(joints): \d+", b"contacts", b"knots", b"joints" * 5),
  (rb"\ntime_hex: (\S+)", b"0x1p-2", b"nan", b"", b"inf"),
  (rb"(manifest 2)\n", b"manifest 1", b"manifest 3", b"manifest 0", b"manifest"),
  (rb"\ntables: (\d+)", (b"%d", 1), (b"%d", -1), b"0", b"-1", b"99"),
  (rb"\n(contacts): \d+", b"joints", b"bodies", b"contacts" * 5),
  (rb"^(drystone)", b"solfec", b"\xef\xbb\xbfdrystone"),
  (rb"\n(hash): ", b"Hash", b"sash"),
  (rb"\n(step: \d+\n)", b""),
  (rb"(\n)", b"\r\n"),
)


def lie(random, target, pattern, value):
  """A manifest whose own checksum fits."""

  def told(match):
    new = value[0] % (int(match.group(1)) + value[1]) if isinstance(value, tuple) else value
    first, end = match.span(1)
    return match.group(0)[:first - match.start()] + new + match.group(0)[end - match.start():]

  target.put("manifest", seal(re.sub(pattern, told, target.manifest, count=1)))
  return f"manifest that fits its checksum: {pattern.decode()} becomes {value}"


def _change(data, change):
  """The data file after change(file)."""
  image = io.BytesIO(data)
  with h5py.File(image, "r+", libver=("v108", "v108")) as file:
    change(file)
  return image.getvalue()


def _replace(file, name, make):
  old = file[name]
  value, attributes = old[()], dict(old.attrs)
  del file[name]
  make(file, name, value)
  for key, text in attributes.items():
    file[name].attrs[key] = text


def _retype(kind):
  return lambda file, name, value: file.create_dataset(name, data=value.astype(kind))


COLUMNS = ("bodies/id", "bodies/position", "bodies/orientation", "bodies/velocity", "bodies/spin",
           "bodies/angular", "bodies/gradient", "bodies/gradient_rate", "contacts/bodies",
           "contacts/parts", "contacts/features", "contacts/axis", "contacts/reaction",
           "contacts/anchor", "contacts/normal", "contacts/bond", "contacts/anchor_high",
           "contacts/mortar", "joints/bodies", "joints/number", "joints/status",
           "joints/reaction", "joints/plastic")


def _number(random, file):
  """One bit of one number of the state."""
  column = file[random.choice(COLUMNS)]
  values = column[()]
  bits = values.view(numpy.uint8).reshape(-1)
  bits[random.randrange(len(bits))] ^= 1 << random.randrange(8)
  column[...] = values


def _solver(random, file):
  words = file.attrs["solver"].decode() if isinstance(file.attrs["solver"], bytes) else \
    file.attrs["solver"]
  place = random.randrange(128) * 17 + random.randrange(16)
  words = words[:place] + ("5" if words[place] != "5" else "6") + words[place + 1:]
  file.attrs.modify("solver", numpy.bytes_(words))


def _two_rows(random, file):
  name = random.choice(("bodies/position", "contacts/reaction"))
  values = file[name][()]
  differ = [i for i in range(1, len(values)) if (values[i] != values[0]).any()]
  other = random.choice(differ)
  values[[0, other]] = values[[other, 0]]
  file[name][...] = values


WAYS = {
  "another format": lambda random, file: file.attrs.modify(
    "format", numpy.bytes_("drystone frame")),
  "an older format": lambda random, file: file.attrs.modify("format_version", 1),
  "a newer format": lambda random, file: file.attrs.modify(
      "format_version", file.attrs["format_version"] + 1),
  "another step": lambda random, file: file.attrs.modify("step", file.attrs["step"] + 1),
  "another time": lambda random, file: file.attrs.modify("time", file.attrs["time"] * 2),
  "another hash": lambda random, file: file.attrs.modify("hash", numpy.bytes_("0" * 32)),
  "more bodies": lambda random, file: file.attrs.modify("bodies", file.attrs["bodies"] + 1),
  "a step that is a text": lambda random, file: file.attrs.create("step", "sixty"),
  "steps": lambda random, file: file.attrs.create("step", [60, 60]),
  "no solver": lambda random, file: file.attrs.__delitem__("solver"),
  "a solver of few words": lambda random, file: file.attrs.modify("solver", numpy.bytes_("12ab")),
  "another solver": _solver,
  "a number": _number,
  "rows exchanged": _two_rows,
  "big-endian": lambda random, file: _replace(file, random.choice(COLUMNS[1:6]), _retype(">f8")),
  "short floats": lambda random, file: _replace(file, random.choice(COLUMNS[1:6]), _retype("<f4")),
  "signed numbers": lambda random, file: _replace(file, "bodies/id", _retype("<i8")),
  "a row less": lambda random, file: _replace(
    file, random.choice(COLUMNS), lambda f, n, v: f.create_dataset(n, data=v[:-1])),
  "a column less": lambda random, file: file.__delitem__(random.choice(COLUMNS)),
  "a component less": lambda random, file: _replace(
    file, "bodies/orientation", lambda f, n, v: f.create_dataset(n, data=v[:, :3])),
  "chunks": lambda random, file: _replace(
    file, "bodies/position", lambda f, n, v: f.create_dataset(n, data=v, chunks=True)),
  "compressed": lambda random, file: _replace(
    file, "contacts/reaction", lambda f, n, v: f.create_dataset(n, data=v, compression="gzip")),
  "a table less": lambda random, file: file.__delitem__(random.choice(("bodies", "joints"))),
  "a group in place of a column": lambda random, file: (
    file.__delitem__("bodies/spin"), file.create_group("bodies/spin")),
  "an external link": lambda random, file: (
    file.__delitem__("bodies/spin"),
    file.__setitem__("bodies/spin", h5py.ExternalLink("elsewhere.h5", "/spin"))),
  "a link in a circle": lambda random, file: (
    file.__delitem__("bodies/spin"),
    file.__setitem__("bodies/spin", h5py.SoftLink("/bodies/spin"))),
  "no case": lambda random, file: file.__delitem__("provenance/case_text"),
}
FILES = {
  "no signature": lambda random, data, donors: bytes(8) + data[8:],
  "a text": lambda random, data, donors: b"title: no checkpoint\n" * 100,
  "a frame": lambda random, data, donors: donors.frame,
  "nothing": lambda random, data, donors: b"",
  "half": lambda random, data, donors: data[:len(data) // 2],
  "the generation before": lambda random, data, donors: donors.previous.data,
  "another run": lambda random, data, donors: donors.other.data,
}


def other_version(random, target, donors, way):
  """Data of another version, byte order or state, with a manifest that fits their bytes."""
  if way in WAYS:
    data = _change(target.data, lambda file: WAYS[way](random, file))
  else:
    data = FILES[way](random, target.data, donors)
  manifest = reseal_data(target.manifest, data)
  target.put("data", data)
  target.put("manifest", manifest)
  return f"data and a manifest that fits: {way}"


FOREIGN = [(lie, (pattern, value)) for pattern, *values in LIES for value in values] + \
  [(other_version, (way,)) for way in (*WAYS, *FILES)]


def foreign(random, target, donors, number=None):
  """The numbers walk through all of them; without one a random one."""
  if not donors.small:
    which = _either(random)
    target.put(which, random.choice((b"\x89HDF\r\n\x1a\n", b"\x7fELF", b"\n")) +
               random.randbytes(random.randrange(5000)))
    return f"random bytes for the {which}"
  place = random.randrange(len(FOREIGN)) if number is None else number * 37 % len(FOREIGN)
  kind, words = FOREIGN[place]
  if kind is lie:
    return lie(random, target, *words)
  return other_version(random, target, donors, *words)


# how many of 1700 are of each kind
KINDS = ((flip_bit, 1000), (cut, 200), (zero_page, 200), (swap, 100), (mix, 50), (foreign, 150))
