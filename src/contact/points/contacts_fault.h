#pragma once
// Are the rows of a table of contact points what contacts.h promises?
#include "contacts.h"

// Local. NULL, or a phrase for the first promise that a row breaks: counts, keys in strict order in
// each half, lower body first, unit normals, values that are finite, areas not below zero, known
// states of bonds, and no pull but in bonds.
const char *contacts_fault(const Contacts *contacts);
