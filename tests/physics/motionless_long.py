#!/usr/bin/env python3
"""The scene of motionless.py over 1e5 steps at a tolerance of 1e-9: no block creeps by more than
1e-6 of its size.
"""
# test: needs python3
# test: slow
# test: timeout 1800
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import motionless
from cases import check, finish, run

STEPS, SMALLEST = 100000, 0.175   # a side of the smallest block, m

done = run(motionless.scene(1e-9, STEPS), "long")
way = motionless.check_rest("1e5 steps", done, 1e-9, STEPS)
check("largest way over a block's side", way / SMALLEST, "<", 1e-6)
finish()
