#pragma once
// What a case says of the partition of its bodies.
#include <stdbool.h>

typedef struct {
  int every;      // steps from one partition to the next; 0: never asked for
  bool balance;   // shared out anew when counted work is uneven
} PartitionSettings;
