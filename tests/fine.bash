# Sourced by scripts that check: fine TEXT tells what holds, unless TESTS_BRIEF is set, which leaves the word to what
# does not hold.
fine() { [ -n "${TESTS_BRIEF-}" ] || echo "fine    $*"; }
