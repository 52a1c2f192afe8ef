// The field list of the table of joints.
#include "joints.h"

static const Field FIELDS[] = {
#define JOINT_FIELD(...) TABLE_FIELD_OF(Joints, __VA_ARGS__)
    JOINT_FIELDS(JOINT_FIELD)
#undef JOINT_FIELD
};

// not TABLE_SCHEMA: files of cases without joints have no table of them
const TableSchema JOINTS_SCHEMA = {.name = "joints",
                                   .bytes = sizeof(Joints),
                                   .fields = FIELDS,
                                   .field_count = (int)(sizeof FIELDS / sizeof *FIELDS),
                                   .ghosts = GHOSTS_OF_PAIRS,
                                   .optional = true};
