#pragma once
// Damping of dynamic bodies, which leads to rest what nothing else does.
#include <stdbool.h>

typedef struct {
  bool given;
  double local;   // share of the force and of the torque that no other balances, below 1
  double mass;    // over mass, 1/s
} DampingSettings;
