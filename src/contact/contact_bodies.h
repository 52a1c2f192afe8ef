#pragma once
// Do contacts and bodies that a rank knows belong together?
#include "bodies.h"
#include "contacts.h"
#include "shape.h"

// Local. NULL, or a phrase for the first contact whose bodies are not as they should be: both known
// here, one of them dynamic, own rows with the owner of the pair, ghost rows without it and with
// the other one; parts that the shapes have.
const char *contact_bodies_fault(const Contacts *contacts, const Bodies *bodies, ShapeSet *shapes);
