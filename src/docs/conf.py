"""How Sphinx makes pages of the Markdown of drystone; build.py calls it."""
# test: needs python3
project = "drystone"
copyright = "the authors of drystone"
extensions = ["myst_parser"]
root_doc = "src/docs/index"
html_theme = "furo"
html_title = "drystone"
html_copy_source = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
include_patterns = ["README.md", "io/*.md", "src/*.md", "src/docs/**", "jobs/*.md",
                    "jobs/*/README.md", "tests/*.md"]
exclude_patterns = ["**/DECISIONS.md", "**/CONTRIBUTING.md"]
pygments_style = "default"
