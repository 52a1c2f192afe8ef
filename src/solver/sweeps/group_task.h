#pragma once
// What is asked of sweeps over one group of touching bodies, and what came of it. An impulse on one
// group changes nothing in another: each has its own acceleration and its own end, so that none
// notices which others there are.
#include "contact_groups.h"

typedef struct {
  int max_sweeps, patience;   // see SolverParameters; 0 sweeps: the group is left alone
  int sweeps;                 // done
  double residual;            // largest of the impulses there are
  bool keeps_last;            // asked: the last impulses are the answer, not the best
} GroupTask;

// Groups as sweeps walk through them.
typedef struct {
  const ContactGroups *groups;   // joined
  int *of_pair;                  // [pairs] places
  int *of_row;                   // [own rows] places; -1: no pair moves it
  int *pair_count;               // [places] pairs that this rank sweeps
} GroupPlaces;

// Local. Memory from the arena.
GroupPlaces group_places_new(const Problem *problem, const ContactGroups *groups, Arena *arena);

// Collective. The sweeps of the group that took most.
int group_tasks_most(const GroupPlaces *places, const GroupTask *tasks);
