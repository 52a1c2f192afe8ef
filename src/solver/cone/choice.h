#pragma once
// What decides between sweeps and linear systems, the same for steps and for problems given as
// matrices.

#define POINTS_OF_FACES 2.0   // points per pair above which bodies meet in faces
#define ELASTIC_SHARE 1e-4    // of the present error that an answer may leave where bodies deform,
#define NODES_SHARE 0.2       // and where they are of finite elements

enum {
  FIRST_FACES = 6,       // where sigma starts: 10^3
  FIRST_POINTS = 2,      // 10
  MOST_POINTS = 5,       // and where it stays below, 10^3: points that slide hardly move with more
  LEAST_ELASTIC = 8,     // and where it stays above for bodies on faces that deform, 10^4,
  LEAST_OF_CYCLES = 6,   // 10^3 where cycles of the multigrid solve their system
  MOST_OF_NODES = 8,     // and below which for bodies of finite elements, 10^4: with more the
                         // solutions in bodies hold what both sides of a joint do together
  PATIENCE_OF_POINTS = 400   // sweeps that bodies on points may still need before a system is made
};
