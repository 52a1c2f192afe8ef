#pragma once
// The scores of Erleben's text as values and as notes, beside which the tables stand. Local.
#include "quality_scene.h"
#include "values.h"

// A group for each score of the text.
void published_values_list(const QualityScenes *scenes, Value *list);

// How the text's own scores were made: they are shown as printed.
void published_values_print_notes(void);
