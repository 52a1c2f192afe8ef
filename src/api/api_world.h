#pragma once
// A world as its caller holds it.
#include "api_guard.h"
#include "run.h"

struct DrystoneWorld {
  Run *run;
  ApiUse use;
  DrystoneSetup setup;
  bool at_work;   // a call is under way: callbacks may only look
  int broken;     // code of an end that was not taken; 0: none
  DrystoneLoads *loads;
  void *loads_context;
};

// Local. DRYSTONE_DONE, or what a function has to return that looks at a world, or changes it.
int api_world_look(const DrystoneWorld *world, const char *function);
int api_world_enter(const DrystoneWorld *world, const char *function);
