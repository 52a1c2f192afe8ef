"""Words of shell scripts, for needs.py: those that stand where a command begins, and all others.

A script is cut into lists of words and operators; what is substituted, $(...) say, is a list of its
own. What is written to other files (here documents) is left out. A word is plain where nothing in
it is to be substituted.
"""
# test: needs python3

import collections
import re

Word = collections.namedtuple("Word", "text plain assigns")
OPERATOR = re.compile(r";;|&&|\|\||[;&|()\n]")
REDIRECTION = re.compile(r"<<<|<<-?|[<>]&|&>>?|>>|>\||[<>]")
PARAMETER = re.compile(r"\$(\w+|[?!@*#$-])")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=")


class Lists:
  """`lists`: of the script and of each substitution, of operators (text) and Words; `arrays`."""

  def __init__(self, text):
    self.text, self.at, self.lists, self.arrays, self.documents = text, 0, [], [], []
    self.read_list(None, self.lists)

  def starts(self, *texts):
    return any(self.text.startswith(text, self.at) for text in texts)

  def read_list(self, close, lists):
    """Reads up to `close`, a parenthesis or a backquote, or to the end of the text."""
    found, depth, cases = [], 0, 0
    lists.append(found)
    while self.at < len(self.text):
      operator = OPERATOR.match(self.text, self.at)
      redirection = REDIRECTION.match(self.text, self.at)
      if self.starts(" ", "\t", "\\\n"):
        self.at += 2 if self.starts("\\") else 1
      elif self.starts("#"):
        self.at = (self.text + "\n").index("\n", self.at)
      elif close and self.starts(close) and depth == 0 and not (close == ")" and cases):
        self.at += 1
        return
      elif redirection and not self.starts("<(", ">("):
        self.read_redirection(redirection.group())
      elif self.starts("(("):
        self.at += 2
        self.skip_to("))")
      elif operator:
        self.at += len(operator.group())
        found.append(operator.group())
        depth += {"(": 1, ")": -1 if depth > 0 else 0}.get(found[-1], 0)
        if found[-1] == "\n":
          self.skip_documents()
      else:
        word = self.read_word()
        if word.text == "[[":
          self.skip_to("]]")
        cases += {"case": 1, "esac": -1}.get(word.text, 0)
        found.append(word)

  def read_redirection(self, operator):
    self.at += len(operator)
    while self.starts(" "):
      self.at += 1
    if not OPERATOR.match(self.text, self.at):
      word = self.read_word()
      if operator in ("<<", "<<-"):
        self.documents.append(word.text)

  def skip_documents(self):
    for end in self.documents:
      found = re.compile(rf"^\t*{re.escape(end)}$", re.M).search(self.text, self.at)
      self.at = found.end() + 1 if found else len(self.text)
    self.documents = []

  def read_word(self):
    start, word, plain = self.at, "", True
    while self.at < len(self.text) and not self.starts(*" \t\n;&|)"):
      if self.starts("("):   # an array, or what makes a function of the word
        if not word.endswith("="):
          break
        self.at += 1
        self.read_list(")", self.arrays)
      elif self.starts("<", ">") and not self.starts("<(", ">("):
        plain = plain and not re.fullmatch(r"\d+|{\w+}", word)   # a file that is redirected
        break
      elif self.starts("'"):
        word += self.read_quoted()
      elif self.starts('"'):
        inside, whole = self.read_double_quotes()
        word, plain = word + inside, plain and whole
      elif self.substitution():
        word, plain = word + "$", False
      else:
        self.at += self.starts("\\")
        word += self.text[self.at:self.at + 1]
        self.at += 1
    self.at += self.at == start
    return Word(word, plain, bool(ASSIGNMENT.match(self.text, start, self.at)))

  def read_quoted(self):
    start = self.at + 1
    self.at = (self.text + "'").index("'", start) + 1
    return self.text[start:self.at - 1]

  def read_double_quotes(self):
    word, plain = "", True
    self.at += 1
    while self.at < len(self.text) and not self.starts('"'):
      if self.substitution():
        plain = False
      else:
        self.at += self.starts("\\")
        word += self.text[self.at:self.at + 1]
        self.at += 1
    self.at += 1
    return word, plain

  def substitution(self):
    """Whether something that is substituted begins here; it is read then."""
    parameter = PARAMETER.match(self.text, self.at)
    if self.starts("$(("):
      self.at += 3
      self.skip_to("))")
    elif self.starts("$(", "<(", ">("):
      self.at += 2
      self.read_list(")", self.lists)
    elif self.starts("`"):
      self.at += 1
      self.read_list("`", self.lists)
    elif self.starts("${"):
      self.at += 2
      self.skip_to("}")
    elif self.starts("$'"):
      self.at += 1
      self.read_quoted()
    elif parameter:
      self.at = parameter.end()
    else:
      return False
    return True

  def skip_to(self, end):
    """Skips arithmetic, a condition or a parameter, but for substitutions."""
    while self.at < len(self.text) and not self.starts(end):
      if self.starts('"'):
        self.read_double_quotes()
      elif self.starts("'"):
        self.read_quoted()
      elif end == "))" and self.starts("("):
        self.at += 1
        self.skip_to(")")
      elif not self.substitution():
        self.at += 2 if self.starts("\\") else 1
    self.at += len(end)


# words after which another command stands, with options, numbers and settings between them
PREFIXES = {"builtin", "chrt", "command", "env", "exec", "nice", "nohup", "setpriv", "setsid",
            "stdbuf", "time", "timeout", "unshare", "xargs"}
AROUND = {"if", "then", "elif", "else", "fi", "while", "until", "do", "done", "!", "{", "}", "esac"}


class Script:
  """`commands`: plain words that stand for commands; `words`: all plain words; `functions`."""

  def __init__(self, text):
    self.commands, self.words, self.functions = set(), set(), set()
    script = Lists(text)
    for found in script.lists:
      self.look_at(found)
    for found in script.arrays:
      self.words.update(word.text for word in found if getattr(word, "plain", False))

  def look_at(self, found):
    at, begins, prefixed = 0, True, False
    while at < len(found):
      word, follows = found[at], found[at + 1:at + 3]
      at += 1
      if isinstance(word, str):
        begins, prefixed = True, False
        if word == ";;" and not (self.text_at(found, at) == "esac"):
          at = found.index(")", at) + 1 if ")" in found[at:] else len(found)
          begins = True
        continue
      if word.plain:
        self.words.add(word.text.partition("=")[2] if word.assigns else word.text)
      if prefixed and not word.assigns:
        unset = getattr(found[at - 2], "text", "") == "-u"
        if re.match(r"[-\d]", word.text) or unset or not word.plain:
          prefixed = word.plain or word.text.startswith("-")
          continue
        begins, prefixed = True, False
      if not begins or word.assigns or word.text in AROUND:
        continue
      begins = False
      if follows == ["(", ")"]:
        self.functions.add(word.text)
        at += 2
        begins = True
      elif word.text == "case":
        at = found.index(")", at) + 1 if ")" in found[at:] else len(found)
        begins = True
      elif word.plain and word.text not in ("for", "select", "[["):
        self.commands.add(word.text)
        prefixed = word.text.rpartition("/")[2] in PREFIXES

  @staticmethod
  def text_at(found, at):
    """The next word after ends of lines."""
    while at < len(found) and found[at] == "\n":
      at += 1
    return getattr(found[at], "text", found[at]) if at < len(found) else ""
