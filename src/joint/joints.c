// The field list of the table of joints.
#include "joints.h"

static const Field FIELDS[] = {
#define JOINT_FIELD(...) TABLE_FIELD_OF(Joints, __VA_ARGS__)
    JOINT_FIELDS(JOINT_FIELD)
#undef JOINT_FIELD
};

const TableSchema JOINTS_SCHEMA = TABLE_SCHEMA(Joints, FIELDS, "joints", GHOSTS_OF_PAIRS, NULL);
