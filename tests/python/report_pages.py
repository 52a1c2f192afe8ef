"""What stands in arch/report.html and elsewhere.html: parts, numbers, pictures. For report.sh."""
# test: needs python3 python3-numpy python3-matplotlib

import base64
import html.parser
import io
import re

import numpy
from matplotlib import image

COLOURED = 0.002   # share of pixels that are neither white nor grey, at least


class Page(html.parser.HTMLParser):
  """Titles of parts, texts, and pictures of a page; every tag that opens is closed."""

  def __init__(self, path):
    super().__init__()
    self.open, self.parts, self.texts, self.pictures = [], [], "", []
    with open(path, encoding="utf-8") as file:
      self.feed(file.read())
    assert not self.open, self.open

  def handle_starttag(self, tag, attributes):
    if tag not in ("meta", "img"):
      self.open.append(tag)
    source = dict(attributes).get("src", "")
    assert not source or source.startswith("data:image/png;base64,"), source[:40]   # no network
    if source:
      self.pictures.append((self.parts[-1], image.imread(io.BytesIO(
        base64.b64decode(source.partition(",")[2])))))

  def handle_endtag(self, tag):
    assert self.open.pop() == tag

  def handle_data(self, data):
    if self.open and self.open[-1] == "h2":
      self.parts.append(data)
    self.texts += data + " "


def coloured(picture):
  """Share of the pixels with a colour."""
  return float((numpy.ptp(picture[:, :, :3], axis=2) > 0.1).mean())


for path, parts, pictures in (
    ("arch/report.html", ["How it ended", "Elevation", "Stages", "Energy",
                          "How well steps are solved", "Probes", "Forces between bodies",
                          "Time and ranks", "The case"], 5),
    ("elsewhere.html", ["How it ended", "Elevation", "Energy", "How well steps are solved",
                        "Forces between bodies", "Grading", "Time and ranks", "The case"], 5)):
  page = Page(path)
  assert [p for p in page.parts if p != "Warnings"] == parts, page.parts
  assert len(page.pictures) == pictures, [part for part, _ in page.pictures]
  for part, picture in page.pictures:
    assert coloured(picture) > COLOURED, (path, part, coloured(picture))
  off = re.search(r"Energies and works differ by at most (\S+) J, (\S+) of", page.texts)
  assert off and float(off.group(2)) < 1e-4, off   # bodies that spin
  print(f"{path}: {len(page.parts)} parts, pictures with "
        f"{min(coloured(p) for _, p in page.pictures):.3f} of their pixels coloured or more")

arch = Page("arch/report.html")
for words in ("an arch <under> its limit", "fails", "more than 0.5", "line of thrust", "crown_z",
              "left_x",
              "still", "holds", "solver", "contacts", "rank 0", "waits included (s)",
              "joints turned by more than"):
  assert words in arch.texts, words
hinges = re.search(r"(\d+) joints turned by more than 0.001 rad \(circles\)", arch.texts)
assert hinges and 4 <= int(hinges.group(1)) <= 8, hinges
