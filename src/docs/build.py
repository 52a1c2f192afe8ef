#!/usr/bin/env python3
"""Makes the documentation: HTML of the Markdown of drystone, by Sphinx.

    src/docs/build.py OUT [--program PROGRAM] [--jobs FOLDER] [--no-gallery]

OUT/html/index.html is where to begin. The table of keys is made from what the program's reader
knows and what io/README.md says of it; a key that stands in one of them alone is an error. The
gallery runs its twenty cases and draws them (some minutes); --jobs names a folder with results of
the jobs' tests.
Needs python3-sphinx, python3-myst-parser and furo, for the gallery ParaView as well.
"""
# test: needs python3 python3-sphinx
import argparse
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gallery   # noqa: E402, beside this file
import keys   # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def stage(source, out):
    """A copy of the checkout, so that pages which are made lie beside those that are written."""

    def left_out(folder, names):
        """What of a checkout is no source: builds and results at its top, what is made here."""
        top = ("build", "results", "ranks", ".") if folder == ROOT else ()
        return [name for name in names if name.startswith(top) or name == "__pycache__"
                or os.path.join(folder, name) == out]

    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT, source, ignore=left_out)


ANCHOR = re.compile(r'<a name="([^"]+)"></a>')
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")


def is_page(path):
    return path.endswith(".md") and not path.endswith(("DECISIONS.md", "CONTRIBUTING.md"))


def for_sphinx(path, text, anchors):
    """Markdown as MyST has it: anchors are targets; of links to no page the words stay."""

    def kept(found):
        words, file, anchor = found.groups()
        target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(target):
            sys.exit(f"{path}: a link to {file}, which is not there")
        if not is_page(target):
            return f"`{words.strip('`')}`"
        if anchor and anchor[1:] in anchors:
            return f"[{words}]({anchor[1:]})"
        return found.group(0)

    return ANCHOR.sub(lambda found: f"\n\n({found.group(1)})=\n\n", LINK.sub(kept, text))


def convert(source):
    texts = {}
    for folder, _, names in os.walk(source):
        for path in (os.path.join(folder, name) for name in names):
            if is_page(path):
                with open(path, encoding="utf-8") as file:
                    texts[path] = file.read()
    anchors = {name for text in texts.values() for name in ANCHOR.findall(text)}
    for path, text in texts.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(for_sphinx(path, text, anchors))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--program", default=os.path.join(ROOT, "build/drystone"))
    parser.add_argument("--jobs")
    parser.add_argument("--no-gallery", action="store_true")
    asked = parser.parse_args()
    out = os.path.abspath(asked.out)
    source = os.path.join(out, "source")
    stage(source, out)
    docs = os.path.join(source, "src/docs")
    try:
        with open(os.path.join(docs, "keys.md"), "w", encoding="utf-8") as file:
            file.write(keys.page(asked.program, ROOT))
        text = "# Gallery\n\nThis copy was made without it.\n"
        if not asked.no_gallery:
            made = gallery.Gallery(ROOT, os.path.abspath(asked.program), out, asked.jobs)
            text = gallery.pages(made, os.path.join(docs, "pictures"), print)
        with open(os.path.join(docs, "gallery.md"), "w", encoding="utf-8") as file:
            file.write(text)
    except (gallery.GalleryError, keys.KeyTableError) as error:
        sys.exit(f"docs: {error}")
    convert(source)
    html = os.path.join(out, "html")
    shutil.rmtree(html, ignore_errors=True)
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html",
                           "-c", docs, source, html])
    if done.returncode != 0:
        sys.exit("docs: Sphinx found the errors above")
    with open(os.path.join(html, "index.html"), "w", encoding="utf-8") as file:
        file.write('<meta http-equiv="refresh" content="0; url=src/docs/index.html">\n')
    print(os.path.join(html, "index.html"))


if __name__ == "__main__":
    main()
