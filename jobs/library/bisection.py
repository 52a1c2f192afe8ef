#!/usr/bin/python3
"""bisection.py CASE BODY MOST FOLDER   the least horizontal force on a body at which a case falls

By runs of the program: a force along x on the named body, between none and MOST newtons, is halved
until it is known to a hundredth of MOST. A case has fallen where a body moved by a centimetre
within a second.
"""
# test: needs python3

import sys

import drystone


def falls(case, body, force, folder):
    """Whether the case falls under a force, N."""
    settings = {"loads": [{"on": body, "force": [force, 0, 0]}], "time.end": 1,
                "time.until": {"displacement": 0.01}}
    results = drystone.run(case, folder, set=settings, overwrite=True)
    return results.outcome()["verdict"] == "fails"


def main(case, body, most, folder):
    stands, moves = 0.0, float(most)
    if not falls(case, body, moves, folder):
        sys.exit(f"it stands under {moves} N")
    while moves - stands > 0.01 * float(most):
        force = 0.5 * (stands + moves)
        if falls(case, body, force, folder):
            moves = force
        else:
            stands = force
        print(f"{force:9.1f} N  {'falls' if moves == force else 'stands'}", flush=True)
    print(f"falls between {stands:.1f} and {moves:.1f} N")


if __name__ == "__main__":
    main(*sys.argv[1:])
