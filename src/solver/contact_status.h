#pragma once
// What frames tell that the solved problem knows alone: whether contact points slide and how far,
// and what they do to nodes.
#include "problem.h"

// Local. What the impulse of a contact point does: CONTACT_OPEN, CONTACT_STICKS or CONTACT_SLIDES.
uint32_t contact_status_of(const SolverPoint *point);

// Local. Fills slip and status of all own contacts, unless they are left out: open, stick or slide
// as the record of a step counts them, and a time (s) times the tangential relative velocity.
void contact_status_fill(Contacts *contacts, const Problem *problem, double time);

// Local. Fills the impulses of all own nodes, unless they are left out: of the points of their
// body, by the shares of its nodes in their places.
void contact_status_fill_nodes(const Bodies *bodies, const Problem *problem);
