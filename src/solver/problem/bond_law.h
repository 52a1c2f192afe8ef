#pragma once
// What a bond does to a point of the contact problem, and when it breaks.
#include "bond.h"
#include "problem.h"

// Local. The limits of the impulse of a contact row by the law of its surfaces in a step (s): Mohr
// and Coulomb's criterion with a tension cut-off on the tributary area of a whole point, Coulomb's
// cone on any other.
PointLaw bond_law_of_point(const SurfaceLaw *surface, const Contacts *contacts, int contact,
                           double step);

// Local. Breaks the whole points that have yielded: their impulse has reached a limit and the point
// moves all the same, by more than the errors of the solution explain. The problem holds impulses
// and velocities at the end of the step; residual: the largest. Rows of contacts change, own and
// ghosts; those of own pairs are counted.
void bond_law_break(const Problem *problem, Contacts *contacts, double residual, BondCount *count);

// Local. Whether the row of point i of pair k is a whole point of a bond.
bool bond_law_holds(const Problem *problem, int k, int i, const Contacts *contacts);

// Local. How far such a point has moved at the end of a step (s), in its basis, m.
vec3 bond_law_moved(const Problem *problem, int k, int i, const Contacts *contacts, double step);

// Local. Gives such a point the offset that takes a way (in its basis, m) back.
void bond_law_correct(Problem *problem, int i, vec3 back);

// Local. The limits of points in the correction of positions, where whole points hold any load.
// scale: largest displacement that a point asks for times its rho, kg m.
void bond_law_hold(Problem *problem, const Contacts *contacts, double scale);
