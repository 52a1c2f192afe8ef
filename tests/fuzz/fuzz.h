#pragma once
// What the targets of fuzzing share: a folder in memory for the files they read, what is printed to
// standard error, and promises that hold after every input. Local, on one rank, without message
// passing.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a target defines: reads one input, and aborts where a promise does not hold. Always 0.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

// What a target may define: the input that a named file of the corpus stands for (memory_free), or
// NULL for a file that is read along with another one. Without it the bytes are the input.
uint8_t *fuzz_input_of(const char *folder, const char *name, size_t *count);

// The path of a name in this process's folder, valid until the next call.
const char *fuzz_path(const char *name);

// Puts a file there; what the system refuses ends the program.
void fuzz_write(const char *name, const void *bytes, size_t count);

// Ends the program, which a fuzzer notes, where a promise does not hold.
#define fuzz_expect(condition, phrase) fuzz_hold((condition), phrase, __FILE__, __LINE__)
void fuzz_hold(bool condition, const char *phrase, const char *file, int line);

// From begin to end, standard error goes to a text. end gives it back: of the last begin, valid
// until the next one.
void fuzz_catch_begin(void);
const char *fuzz_catch_end(void);

// Whether a text is one line without control characters, with or without its newline, that begins
// so.
bool fuzz_is_message(const char *text, const char *begin);

// Around each input: live memory of the program is the same after it, and it took no more than
// FUZZ_SECONDS of processor time.
void fuzz_begin(void);
void fuzz_end(void);

// a second; sanitizers and builds without optimisation make it longer
#if defined(__SANITIZE_ADDRESS__) || defined(FUZZ_SANITIZED) || !defined(__OPTIMIZE__)
#define FUZZ_SECONDS 5.0
#else
#define FUZZ_SECONDS 1.0
#endif
