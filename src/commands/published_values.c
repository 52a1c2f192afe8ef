// Lists and explains the scores of Erleben's text.
#include "published_values.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "quality_published.h"

void published_values_list(const QualityScenes *scenes, Value *list)
{
  assert(scenes != NULL && list != NULL && "scores are of scenes");
  for (int scene = 0; scene < SCENE_COUNT; scene++) {
    PublishedScore score;
    const int best = quality_published_best(scene, &score);
    for (int method = 0; method < PUBLISHED_METHODS; method++) {
      if (!quality_published_score(scene, method, &score)) continue;
      Value *row = values_group(list, NULL);
      values_add(row, "name %s", scenes->scenes[scene].name);
      values_add(row, "method %s best %i", quality_published_method(method), method == best);
      values_add(row, "quality %g coverage %g excess %g", score.quality, score.coverage,
                 score.excess);
      if (score.points < 0) values_add(row, "points %g", NAN);
      else values_add(row, "points %d", score.points);
      values_add(row, "P %g", score.area_ratio);
      values_text(row, "note", quality_published_note(scene, method));
    }
  }
}

void published_values_print_notes(void)
{
  puts(
      "Scores of the text are those printed (Erleben 2018, Tables 7 and 8). Of Table 8:\n"
      "  Spikes, Spike and wedge, Wedges: by the normal of Table 4, on the side along which the\n"
      "           bodies do not slide, not by the least violated one of section 4.2. The author's\n"
      "           program, run again, has 79 to 100 % of that where the table has 0 (Volume-SAT)\n"
      "  Intersection: its normals are not of unit length in that program, hence its 0 %\n"
      "  all: in single precision, two to three steps of 0.01 s after the touching start");
}
