#pragma once
// What frames tell of contact points that the solved problem knows alone: whether they slide, and
// how far.
#include "problem.h"

// Local. What the impulse of a contact point does: CONTACT_OPEN, CONTACT_STICKS or CONTACT_SLIDES.
uint32_t contact_status_of(const SolverPoint *point);

// Local. Fills slip and status of all own contacts, unless they are left out: open, stick or slide
// as the record of a step counts them, and a time (s) times the tangential relative velocity.
void contact_status_fill(Contacts *contacts, const Problem *problem, double time);
