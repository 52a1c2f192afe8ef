#pragma once
// A curve of sizes, as sieves give it, cut into classes of equal share.
#include <stdbool.h>

typedef struct {
  double size;    // m
  double share;   // cumulative, 0 to 1: of all stones that are no larger
} SizeRow;

typedef struct {
  double size;     // of every stone of the class, m
  double number;   // its share of all stones by number
} SizeClass;

// Local. Cuts a curve, linear between rows whose sizes grow and whose shares grow from 0 to 1, into
// count classes of equal share by number or by mass (mass ~ size^3). Each class has one size, such
// that both its number and its mass are those of its piece of the curve.
void size_classes_cut(const SizeRow *rows, int row_count, bool by_number, int count,
                      SizeClass *classes);
