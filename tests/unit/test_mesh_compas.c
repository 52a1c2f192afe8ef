// COMPAS files: every form that blocks have had, and what is refused.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "memory.h"
#include "mesh_parsing.h"

// a triangle for a block: readers judge the file, not the solid
#define VERTICES(shift)                                                               \
  "'vertex': {'0': {'x': " shift ", 'y': 0, 'z': 0}, '1': {'x': 1, 'y': 0, 'z': 0}, " \
  "'2': {'x': 0, 'y': 1, 'z': 0}}"
#define DATA(shift) "{" VERTICES(shift) ", 'face': {'0': [0, 1, 2]}}"
#define MESH(shift) "{'dtype': 'compas.datastructures/Mesh', 'data': " DATA(shift) "}"
#define POINTS "p 0 0 0, 1 0 0, 0 1 0"
#define TWO "p 0 0 0, 1 0 0, 0 1 0, 5 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0, 3 4 5 @1"

// JSON with ' for "
static const char *json(const char *text)
{
  static char room[4][8192];
  static int next = 0;
  char *copy = room[next = (next + 1) % 4];
  snprintf(copy, sizeof room[0], "%s", text);
  for (char *p = copy; *p; p++)
    if (*p == '\'') *p = '"';
  for (char *p = copy; *p; p++)
    if (*p == '`') *p = '\'';
  return copy;
}

static void reads(const char *text, const char *expected)
{
  CHECK(mesh_reads("a.json", json(text), NULL, expected));
}

static void refuses(const char *text, const char *message)
{
  CHECK(mesh_refuses("a.json", json(text), NULL, message));
}

#define ASSEMBLY(nodes)                                                                          \
  "{'dtype': 'compas_assembly.datastructures/Assembly', 'data': {'attributes': {}, 'graph': "    \
  "{'dtype': 'compas.datastructures/Graph', 'data': {'default_node_attributes': {'is_support': " \
  "false, 'block': null}, 'node': {" nodes "}, 'edge': {}}}}}"

static void test_assemblies(void)
{
  reads(ASSEMBLY(
            "'0': {'block': " MESH("0") "}, 'key': {'block': " MESH("5") ", 'is_support': true}"),
        TWO " ; b '0', 'key' fixed");
  // the order is that of the file, a default makes supports, a node takes it back
  reads("{'dtype': 'compas_cra.datastructures/CRA_Assembly', 'data': {'graph': {'data': "
        "{'default_node_attributes': {'is_support': true}, 'node': {'7': {'block': " MESH(
            "0") "}, '2': {'block': " MESH("5") ", 'is_support': false}}}}}}",
        TWO " ; b '7' fixed, '2'");
  reads(ASSEMBLY(
            "'a': {'block': {'dtype': 'compas_assembly.datastructures/Block', 'data': "
            "{'attributes': {'is_support': true}, " VERTICES("0") ", 'face': {'0': [0, 1, 2]}}}}"),
        POINTS " ; f 0 1 2 @0 ; b 'a' fixed");
  refuses(ASSEMBLY("'a': {}"), "a.json: block 'a': the node has no block");
  refuses(ASSEMBLY("'a': {'block': {'dtype': 'compas.geometry/Box', 'data': {}}}"),
          "a.json: block 'a': the dtype 'compas.geometry/Box' is not read, expected a Mesh or a "
          "Block");
  refuses(ASSEMBLY("'a': {'block': {}}"),
          "a.json: block 'a': an object without a dtype, expected a Mesh or a Block");
  refuses(ASSEMBLY("'a': {'block': " MESH("0") ", 'is_support': 'yes'}"),
          "a.json: block 'a': is_support is neither true nor false");
  refuses(ASSEMBLY(""), "a.json: no blocks in it");
  refuses("{'dtype': 'compas_assembly.datastructures/Assembly', 'data': {}}",
          "a.json: an assembly without a graph of nodes");
}

// Of the first versions: blocks beside the graph, quoted keys, defaults by short words, vertices
// in the place of nodes.
static void test_old_assemblies(void)
{
  reads(
      "{'assembly': {'dna': {'is_support': false}, 'node': {'0': {}, '1': {'is_support': true}}}, "
      "'blocks': {'1': " DATA("5") ", '0': " DATA("0") "}}",
      TWO " ; b '0', '1' fixed");
  reads("{'assembly': {'dva': {'is_support': false}, 'vertex': {'`a`': {'is_support': true}}}, "
        "'blocks': {'a': " DATA("0") "}}",
        POINTS " ; f 0 1 2 @0 ; b 'a' fixed");
  reads("{'datatype': 'compas_assembly.datastructures/Assembly', 'data': {'assembly': {'node': "
        "{'0': {'block': 'm'}}}, 'blocks': {'m': " DATA("0") "}}}",
        POINTS " ; f 0 1 2 @0 ; b '0'");
  reads("{'assembly': {'node': {'0': {}}}, 'blocks': {'0': {'dva': {'z': 3, 'y': 0}, 'vertex': "
        "{'`p`': {'x': 0}, '`q`': {'x': 1}, '`r`': {'x': 0, 'y': 1}}, 'face': {'0': "
        "['p', '`q`', 'r']}}}}",
        "p 0 0 3, 1 0 3, 0 1 3 ; f 0 1 2 @0 ; b '0'");
  refuses("{'assembly': {'node': {'0': {}}}, 'blocks': {'1': " DATA("0") "}}",
          "a.json: block '0': the node has no block");
  refuses("{'assembly': {'node': {'0': {}}}, 'blocks': []}",
          "a.json: an object without a dtype, expected an Assembly, BlockModel, Problem, Mesh, "
          "Block or a list of meshes");
}

#define ELEMENT(guid, class, shape, more)                                            \
  "{'dtype': 'compas_dem.elements/" class "', 'data': {'" shape "': " MESH("0") more \
      "}, 'guid': '" guid "'}"
#define MODEL(elements, more) \
  "{'dtype': 'compas_dem.models/BlockModel', 'data': {'elements': " elements more "}}"
#define GRAPH ", 'graph': {'node': {'4': {'element': 'f'}, '0': {'element': 'e'}}}"
#define SHIFTED                                                                                 \
  ", 'transformation': {'dtype': 'compas.geometry/Translation', 'data': {'matrix': [[1, 0, 0, " \
  "5], "                                                                                        \
  "[0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}}"
#define DICT                                 \
  "{'e': " ELEMENT("e", "Block", "geometry", \
                   ", 'is_support': true") ", 'f': " ELEMENT("f", "Block", "geometry", "") "}"
#define BOTH "p 0 0 0, 1 0 0, 0 1 0, 0 0 0, 1 0 0, 0 1 0 ; f 0 1 2 @0, 3 4 5 @1"

static void test_models(void)
{
  reads(MODEL(DICT, GRAPH), BOTH " ; b '4', '0' fixed");
  reads(MODEL("[" ELEMENT("e", "BlockElement", "shape", "") ", " ELEMENT(
                  "f", "BlockElement", "shape", ", 'is_support': true") "]",
              GRAPH),
        BOTH " ; b '4' fixed, '0'");
  reads(MODEL(DICT, ""), BOTH " ; b '0' fixed, '1'");
  reads(MODEL("[" ELEMENT("e", "Block", "geometry", SHIFTED) "]", SHIFTED),
        "p 10 0 0, 11 0 0, 10 4 0 ; f 0 1 2 @0 ; b '0'");
  reads(MODEL(DICT, GRAPH ", 'materials': {'m': {'dtype': 'compas_dem.material/Stone', 'data': "
                          "{'name': 'Stone', 'density': 2000}}}"),
        BOTH " ; b '4', '0' fixed ; r density 2000 of 'Stone'");
  refuses(MODEL(DICT, ", 'graph': {'node': {'0': {'element': 'e'}}}"),
          "a.json: 1 blocks of the model are in no node of its graph");
  refuses(MODEL(DICT, ", 'graph': {'node': {'0': {'element': 'x'}}}"),
          "a.json: block '0': the node names no element of the model");
  refuses(MODEL("{}", ""), "a.json: a model without elements");
  refuses(MODEL("{'e': {'dtype': 'compas_model.elements/BeamElement', 'data': {}}}", ""),
          "a.json: block '0': the dtype 'compas_model.elements/BeamElement' is not read, expected "
          "a Block of compas_dem");
  refuses(MODEL("{'e': {'dtype': 'compas_dem.elements/Block', 'data': {}}}", ""),
          "a.json: block '0': the element has no 'geometry' and no 'shape'");
  refuses(MODEL("[" ELEMENT("e", "Block", "geometry", ", 'transformation': {'data': 3}") "]", ""),
          "a.json: block '0': a transformation without a 'matrix' of 4 rows of 4 numbers, the last "
          "[0, 0, 0, 1]");
  refuses(MODEL("{'g': {'dtype': 'compas_model.elements/Group', 'data': {'transformation': "
                "{'data': {}}}}}",
                ", 'tree': {'root': {'children': [{'element': 'g', 'children': [{}]}]}}"),
          "a.json: a group of elements has a transformation, which is not read: apply it to its "
          "blocks");
}

#define PROBLEM(displacements, more)                                                              \
  "{'dtype': 'compas_dem.problem/Problem', 'data': {'model': " MODEL(                             \
      DICT, GRAPH) ", 'boundary_conditions': {'dtype': 'compas_dem.problem/BoundaryConditions', " \
                   "'data': {'g': "                                                               \
                   "9.81, 'displacements': [" displacements "]" more                              \
                   "}}, 'contact_properties': {'data': "                                          \
                   "{'contact_model': {'data': {'mu': 0.5}}}}}}"
#define HELD(block, x) \
  "{'block_index': " block ", 'translation': [" x ", 0, 0], 'rotation': [0, 0, 0]}"

static void test_problems(void)
{
  reads(PROBLEM(HELD("4", "0.0"), ""), BOTH " ; b '4' fixed, '0' fixed ; r friction 0.5");
  reads(PROBLEM("", ", 'gravity': true, 'point_loads': [{}, {}], 'body_forces': [[0, 0, 1]]"),
        BOTH " ; b '4', '0' fixed ; r friction 0.5, gravity 9.81, 1 acceleration, 2 point loads");
  refuses(PROBLEM(HELD("4", "0.1"), ""),
          "a.json: block '4': the problem moves it or holds it in part; make translation and "
          "rotation [0, 0, 0], and give it a 'motion' or a joint in the case");
  refuses(PROBLEM("{'block_index': 4, 'translation': [0, 0, null], 'rotation': null}", ""),
          "a.json: block '4': the problem moves it or holds it in part; make translation and "
          "rotation [0, 0, 0], and give it a 'motion' or a joint in the case");
  refuses(PROBLEM(HELD("3", "0"), ""),
          "a.json: block '3': the problem holds it, and its model has no such node");
  refuses(PROBLEM("{}", ""), "a.json: displacement 0 has no 'block_index'");
  refuses("{'dtype': 'compas_dem.problem/Problem', 'data': {}}",
          "a.json: no object, expected the BlockModel of the problem");
}

static void test_lists(void)
{
  reads("[" MESH("0") ", " MESH("5") "]", TWO " ; b '0', '1'");
  reads("[[" MESH("0") "], [[" MESH("5") "]]]", TWO " ; b '0', '1'");
  reads(MESH("0"), POINTS " ; f 0 1 2 @0 ; b '0'");
  refuses("[]", "a.json: no blocks in it");
  refuses("[3]", "a.json: block '0': no object, expected a Mesh or a Block");
  refuses("{'dtype': 'compas.datastructures/VolMesh', 'data': {}}",
          "a.json: the dtype 'compas.datastructures/VolMesh' is not read, expected an Assembly, "
          "BlockModel, Problem, Mesh, Block or a list of meshes");
  refuses("{'dtype': 'compas.datastructures/Assembly', 'data': {}}",
          "a.json: the dtype 'compas.datastructures/Assembly' is not read, expected an Assembly, "
          "BlockModel, Problem, Mesh, Block or a list of meshes");
  refuses("3", "a.json: line 1 is no JSON: '[' or '{' expected near '3'");
}

#define ONE(vertices, faces)                                                                    \
  "[{'dtype': 'compas.datastructures/Mesh', 'data': {'vertex': {" vertices "}, 'face': {" faces \
  "}}}]"
#define THREE \
  "'a': {'x': 0, 'y': 0, 'z': 0}, 'b': {'x': 1, 'y': 0, 'z': 0}, 'c': {'x': 0, 'y': 1, 'z': 0}"

static void test_meshes(void)
{
  reads(ONE(THREE, "'f': ['a', 'b', 'c']"), POINTS " ; f 0 1 2 @0 ; b '0'");
  refuses(ONE(THREE, "'f': ['a', 'b', 'd']"),
          "a.json: block '0': face 'f' names vertex 'd', and the block has none of that name");
  refuses(ONE(THREE, "'f': ['a', 'b', 7]"),
          "a.json: block '0': face 'f' names vertex '7', and the block has none of that name");
  refuses(ONE(THREE, "'f': ['a', 'b']"),
          "a.json: block '0': face 'f' is no list of at least 3 vertices");
  refuses(ONE(THREE, "'f': ['a', 'b', 1.5]"),
          "a.json: block '0': a corner of face 'f' is neither a number nor a name");
  refuses(ONE(THREE, ""), "a.json: block '0': its mesh has no faces");
  refuses(ONE("'a': {'x': NaN, 'y': 0, 'z': 0}", "'f': ['a', 'a', 'a']"),
          "a.json: block '0': x of vertex 'a' is no finite number");
  refuses(ONE("'a': {'x': 0, 'y': -Infinity, 'z': 0}", "'f': ['a', 'a', 'a']"),
          "a.json: block '0': y of vertex 'a' is no finite number");
  refuses(ONE("'a': {'x': 0, 'y': 1}", "'f': ['a', 'a', 'a']"),
          "a.json: block '0': z of vertex 'a' is missing, and has no default");
  refuses(ONE("'a': {'x': 0, 'y': 1, 'z': 0}, '`a`': {'x': 0, 'y': 1, 'z': 0}", "'f': [0, 1, 2]"),
          "a.json: block '0': two vertices are called 'a'");
  refuses("[{'dtype': 'compas.datastructures/Mesh', 'data': {'vertex': {}}}]",
          "a.json: block '0': a mesh without 'vertex' and 'face'");
  // NaN where no block looks is nobody's matter, and in a name it is a name
  reads("[{'dtype': 'compas.datastructures/Mesh', 'NaN': NaN, 'data': " DATA("0") "}]",
        POINTS " ; f 0 1 2 @0 ; b '0'");
}

static void test_text(void)
{
  refuses("[1, 2", "a.json: line 1 is no JSON: ']' expected near end of file");
  refuses("{'a': 1, 'a': 2}", "a.json: line 1 is no JSON: duplicate object key near '\"a\"'");
  refuses("[1] x", "a.json: line 1 is no JSON: end of file expected near 'x'");
  char deep[8000];
  for (size_t i = 0; i < sizeof deep - 1; i++) deep[i] = '[';
  deep[sizeof deep - 1] = 0;
  refuses(deep, "a.json: line 1 is no JSON: maximum parsing depth reached near '['");
  memset(deep, 0, sizeof deep);
  memset(deep, '[', 80);
  memset(deep + 80, ']', 80);
  refuses(deep, "a.json: more than 64 lists in each other");
}

int main(void)
{
  test_assemblies();
  test_old_assemblies();
  test_models();
  test_problems();
  test_lists();
  test_meshes();
  test_text();
  CHECK(memory_live_bytes() == 0);
  return test_report();
}
