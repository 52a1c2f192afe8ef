"""A table of what jobs measure beside what theory says."""
# test: needs python3


def print_rows(rows, width):
  """Prints rows of (what, measured, theory or None, share by which it may be off).

  Returns how many are off by more; the column of names is so many letters wide.
  """
  print(f"{'':{width}s}{'measured':>14s}{'theory':>14s}{'off by':>10s}{'of':>8s}")
  bad = 0
  for what, value, theory, most in rows:
    if theory is None:
      print(f"{what:{width}s}{value:14.7g}")
      continue
    off = abs(value / theory - 1)
    bad += not off <= most
    print(f"{what:{width}s}{value:14.7g}{theory:14.7g}{off:10.1e}{most:8.0e}")
  print("as expected" if bad == 0 else f"NOT as expected: {bad} lines")
  return bad
