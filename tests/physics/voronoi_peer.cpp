// Reads the cells that voronoi_cells.c prints and compares them with those of voro++: volumes,
// neighbours and areas of faces. Exit code 1 when they differ.
// test: needs g++ voro++-dev
#include <voro++/voro++.hh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static const double AGREEMENT = 1e-9;   // of volumes and areas, relative to those of a mean cell

struct Cell {
  double seed[3], volume;
  std::vector<int> neighbours;
  std::vector<double> areas;
};

static bool read_cell(Cell &cell)
{
  int faces;
  if (scanf("%lf %lf %lf %lf %d", cell.seed, cell.seed + 1, cell.seed + 2, &cell.volume, &faces) !=
      5)
    return false;
  cell.neighbours.resize(faces);
  cell.areas.resize(faces);
  for (int f = 0; f < faces; f++)
    if (scanf("%d %lf", &cell.neighbours[f], &cell.areas[f]) != 2) return false;
  return true;
}

// The largest difference of areas of faces with the same neighbour; a face of one alone counts.
static double compare_faces(const Cell &cell, const std::vector<int> &neighbours,
                            const std::vector<double> &areas)
{
  double worst = 0;
  for (size_t f = 0; f < cell.neighbours.size(); f++) {
    const auto at = std::find(neighbours.begin(), neighbours.end(), cell.neighbours[f]);
    const double area = at == neighbours.end() ? 0 : areas[at - neighbours.begin()];
    worst = std::max(worst, std::fabs(area - cell.areas[f]));
  }
  for (size_t f = 0; f < neighbours.size(); f++)
    if (std::find(cell.neighbours.begin(), cell.neighbours.end(), neighbours[f]) ==
        cell.neighbours.end())
      worst = std::max(worst, areas[f]);
  return worst;
}

int main()
{
  double high[3], worst_volume = 0, worst_area = 0;
  int count, spaces = 0, total = 0, missing = 0;
  while (scanf("%lf %lf %lf %d", high, high + 1, high + 2, &count) == 4) {
    std::vector<Cell> cells(count);
    const int blocks = 1 + int(std::cbrt(count / 5.0));
    voro::container box(0, high[0], 0, high[1], 0, high[2], blocks, blocks, blocks, false, false,
                        false, 8);
    for (int i = 0; i < count; i++) {
      if (!read_cell(cells[i])) return 1;
      box.put(i, cells[i].seed[0], cells[i].seed[1], cells[i].seed[2]);
    }
    const double mean = high[0] * high[1] * high[2] / count, side = std::cbrt(mean);
    voro::c_loop_all loop(box);
    int found = 0;
    if (loop.start()) do {
        voro::voronoicell_neighbor theirs;
        if (!box.compute_cell(theirs, loop)) continue;
        std::vector<int> neighbours;
        std::vector<double> areas;
        theirs.neighbors(neighbours);
        theirs.face_areas(areas);
        const Cell &ours = cells[loop.pid()];
        worst_volume = std::max(worst_volume, std::fabs(theirs.volume() - ours.volume) / mean);
        worst_area = std::max(worst_area, compare_faces(ours, neighbours, areas) / (side * side));
        found++;
      } while (loop.inc());
    missing += count - found;
    spaces++;
    total += count;
  }
  printf("%d boxes, %d cells, %d missing, worst volume %.2g, worst area %.2g of a mean cell\n",
         spaces, total, missing, worst_volume, worst_area);
  return spaces < 1 || missing > 0 || !(worst_volume <= AGREEMENT) || !(worst_area <= AGREEMENT);
}
