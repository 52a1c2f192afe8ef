"""prose.py ROOT: what prose.sh says of the Markdown files below ROOT.

It prints the mean number of words of a sentence for each file. A sentence is a piece of a paragraph
or of an item of a list; headings, tables, formulas and code do not count. Code in backticks is one
word.
"""
# test: needs python3

import os
import re
import sys

MOST_WORDS = 25           # of a sentence, in the mean of a file
FOLDERS = ("src", "partition", "io", "tests", "jobs")
ROOTS = ("", "src", "io")   # where a path may begin, beside the folder of its file
SOURCES = (".c", ".h", ".py", ".sh", ".bash", ".sbatch", ".md", ".cmake")
NAME_OF_OTHERS = re.compile(r"(?<![A-Za-z0-9])[A-Z]+(?![A-Za-z0-9])(?!\.(md|txt))")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +")
ENTRY = re.compile(r"\*\*([a-z]+)-(\d+)\.\*\* (.+) \*Reason:\* (.+) \*Evidence:\* (.+)")
END = re.compile(r"(?<=[.!?])[)\"*_]* +(?=[\"(*_\[]*[A-Z0-9`\[~])")
SHORTENED = re.compile(r"\b(e\.g|i\.e|cf|vs|al|Fig|No)\.$")


def markdown_files(root):
  for folder in ("",) + FOLDERS:
    top = os.path.join(root, folder)
    for path, folders, names in os.walk(top):
      folders[:] = [] if folder == "" else sorted(folders)
      for name in sorted(names):
        if name.endswith(".md"):
          yield os.path.relpath(os.path.join(path, name), root)


def paragraphs(text):
  """Paragraphs and items of lists as single lines; code, tables, headings and formulas left out."""
  found, fenced, indented = [], False, True
  for line in text.split("\n"):
    if line.lstrip().startswith("```"):
      fenced = not fenced
    elif fenced or line.startswith("|") or line.startswith("#") or line.startswith("!["):
      indented = True
    elif not line.strip():
      indented = True
    elif indented and line.startswith("    ") and not ITEM.match(line):
      pass
    elif indented or ITEM.match(line):
      found.append(ITEM.sub("", line).strip())
      indented = False
    else:
      found[-1] += " " + line.strip()
  return found


def plain(paragraph):
  """A paragraph with each code, formula and link as the words that a reader sees."""
  paragraph = re.sub(r"``.+?``|`[^`]+`", "`code`", paragraph)
  paragraph = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", paragraph)
  return re.sub(r"\*\*[a-z]+-\d+\.\*\*|\*(Reason|Evidence):\*", "", paragraph)


def sentences(paragraph):
  pieces = []
  for piece in END.split(plain(paragraph)):
    if pieces and SHORTENED.search(pieces[-1]):
      pieces[-1] += " " + piece
    elif piece.strip():
      pieces.append(piece.strip())
  return pieces


def is_made(file, path):
  """Whether src/docs/build.py makes that page of the documentation."""
  return file.startswith("src/docs/") and os.path.basename(path) in ("keys.md", "gallery.md")


def word_count(sentence):
  return sum(bool(re.search(r"[^\W_]", word)) for word in sentence.split())


def check_sentences(file, text):
  """The faults of the sentences of a file, after a line with its figure."""
  counted = [(word_count(s), s) for p in paragraphs(text) for s in sentences(p)]
  counted = [(n, s) for n, s in counted if n > 0]
  if not counted:
    return []
  mean = sum(n for n, _ in counted) / len(counted)
  longest, sentence = max(counted)
  print(f"{file}: {mean:.1f} words a sentence, {len(counted)} sentences, the longest {longest}")
  if mean <= MOST_WORDS:
    return []
  longest = "".join(f"\n  {n}: {s}" for n, s in sorted(counted, reverse=True)[:5])
  return [f"{file}: {mean:.1f} words a sentence in the mean, {MOST_WORDS} is the most; "
          f"the longest:{longest}"]


def check_decisions(file, text, seen):
  """Entries of a list of decisions: a number of their own, three sentences."""
  faults = []
  heading = re.match(r"# Decisions: ([a-z]+)\n", text)
  if not heading:
    return [f"{file}: the first line is '# Decisions: MODULE'"]
  for item in (p for p in paragraphs(text) if p.startswith("**")):
    entry = ENTRY.fullmatch(item)
    if not entry:
      form = f"**{heading[1]}-N.** decision *Reason:* ... *Evidence:* ..."
      faults.append(f"{file}: an entry is not '{form}': {item[:60]}")
      continue
    name = f"{entry[1]}-{entry[2]}"
    if entry[1] != heading[1]:
      faults.append(f"{file}: {name} has another module's name")
    if name in seen:
      faults.append(f"{file}: {name} is also in {seen[name]}")
    seen[name] = file
    for part, title in zip(entry.groups()[2:], ("decision", "reason", "evidence")):
      if len(sentences(part)) != 1 or not part.rstrip("*)").endswith("."):
        faults.append(f"{file}: {name}: the {title} is not one sentence with a full stop")
  return faults


def exists(root, file, path):
  """Whether a path is there as its file, or a reader at the top, would look for it."""
  path = path.rstrip("/")
  starts = (os.path.dirname(file),) + ROOTS
  return any(os.path.exists(os.path.join(root, start, path)) for start in starts)


def check_paths(root, file, text, names):
  """Files and folders of the tree that a text names."""
  faults = []
  text = re.sub(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)",
                lambda link: f"] `{link[1]}` " if link[1] else "]", text)
  words = set(re.findall(r"`([^`\s]+)`", text))
  words.update(word for code in re.findall(r"`([^`]+)`|^ {4}(.*)$", text, re.M)
               for word in " ".join(code).split() if word.split("/")[0] in FOLDERS)
  for word in sorted(words):
    path = word.strip("'\"();,:")
    if not re.fullmatch(r"[\w./-]+", path) or NAME_OF_OTHERS.search(path):
      continue   # a pattern, an expression, a name that stands for others
    is_source = path.endswith(SOURCES)
    if path.split("/")[0] in FOLDERS + ("..",) or (is_source and "/" in path):
      if not exists(root, file, path) and not is_made(file, path):
        faults.append(f"{file}: there is no {path}")
    elif is_source and path not in names:
      faults.append(f"{file}: no file is called {path}")
  return faults


def main(root):
  names = {name for folder in ("",) + FOLDERS
           for _, folders, files in os.walk(os.path.join(root, folder)) for name in files}
  faults, seen = [], {}
  for file in markdown_files(root):
    with open(os.path.join(root, file), encoding="utf-8") as opened:
      text = opened.read()
    faults += check_sentences(file, text) + check_paths(root, file, text, names)
    if os.path.basename(file) == "DECISIONS.md":
      faults += check_decisions(file, text, seen)
  print("\n".join(faults))
  return 1 if faults else 0


sys.exit(main(sys.argv[1]))
