#!/bin/bash
# Programs that were compiled with an earlier drystone.h go on with a library of the same SOVERSION. promised_names.txt
# keeps the name of the library (its soname) and what its header declared. While the name is the same, no function may
# go or get other arguments, and no struct may change. Enums, and structs that begin with their size, may get more at
# their end.
#
#   PROMISED_NAMES_WRITE=1   writes additions to promised_names.txt, and all of it anew where the name is another
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
library=$(cd "$(dirname "$1")" && pwd)/libdrystone.so
record=$here/promised_names.txt
[ -e "$library" ] || { echo "this build has no library"; exit 77; }
rm -f ./*.txt ./*.h
failures=0
fail()
{
  echo "FAILED  $*"
  failures=$((failures + 1))
}

# declarations HEADER: one a line, without comments, macros and what is compiled into the caller
declarations()
{
  sed 's,//.*,,; /^#/d; /^extern "C" {$/d; s/DRYSTONE_API //' "$1" | tr -s ' \n' ' ' | awk '
    {
      for (at = 1; at <= length($0); at++) {
        letter = substr($0, at, 1)
        text = text letter
        if (letter == "{") depth++
        if (letter == "}") depth--
        if (depth <= 0 && (letter == ";" || (letter == "}" && text ~ /^ *static inline/))) {
          gsub(/^ +| +$/, "", text)
          if (text !~ /^static inline/) print text
          text = ""
        }
        if (depth < 0) { depth = 0; text = "" }   # the end of extern "C"
      }
    }' | sort
}

# soname LIBRARY
soname() { objdump -p "$1" | awk '$1 == "SONAME" {print $2}'; }

# broken OLD NEW: the declarations of the file OLD that are not kept by those of NEW
broken()
{
  awk '
    # what may grow: all up to its closing brace
    function start(text) { sub(/,? *}[^}]*$/, "", text); return text }
    function grows(text) { return text ~ /^(typedef )?enum / || text ~ /^typedef struct { size_t size;/ }
    FNR == NR { new[++count] = $0; known[$0] = 1; next }
    $0 in known { next }
    {
      kept = 0
      begin = start($0)
      name = $0
      sub(/.*}/, "", name)
      for (k = 1; k <= count && grows($0); k++) {
        other = new[k]
        sub(/.*}/, "", other)
        kept = kept || (other == name && index(new[k], begin) == 1 &&
                        substr(new[k], length(begin) + 1) ~ /^[ ,]/)
      }
      if (!kept) print
    }' "$2" "$1"
}

name=$(soname "$library")
declarations "$root/src/api/drystone.h" >now.txt
[ "$(grep -c '(' now.txt)" -ge 35 ] || fail "the header has few declarations: $(cat now.txt)"
if [ -n "${PROMISED_NAMES_WRITE-}" ]; then
  if [ "$(head -n 1 "$record" 2>/dev/null)" = "$name" ]; then
    tail -n +2 "$record" >recorded.txt
    broken recorded.txt now.txt >broken.txt
    [ ! -s broken.txt ] || { echo "raise the SOVERSION in CMakeLists.txt first: $(cat broken.txt)"; exit 1; }
  fi
  { echo "$name"; cat now.txt; } >"$record"
  exit 0
fi

# -- the header against the record, and the library against the header
tail -n +2 "$record" >recorded.txt
if [ "$name" != "$(head -n 1 "$record")" ]; then
  fail "the library is $name now, the record of $(head -n 1 "$record"): PROMISED_NAMES_WRITE=1 bash $0 $1"
else
  broken recorded.txt now.txt >broken.txt
  if [ -s broken.txt ]; then
    fail "raise the SOVERSION in CMakeLists.txt. Programs that use $name would break, which know:"
    cat broken.txt
  elif ! cmp -s recorded.txt now.txt; then
    fail "the record lacks what is new: PROMISED_NAMES_WRITE=1 bash $0 $1"
    diff recorded.txt now.txt
  fi
fi
nm -D --defined-only "$library" | awk '{print $NF}' | sort >names.txt
grep -v '^typedef struct {\|^typedef enum {\|^enum ' now.txt | grep -oE '^[^(]*[ *]drystone_[a-z_]+\(' |
  grep -oE 'drystone_[a-z_]+' | sort >functions.txt
cmp -s names.txt functions.txt || fail "names of the library and of the header: $(diff names.txt functions.txt)"
grep -qx "Package: libdrystone${name#libdrystone.so.}" "$root/jobs/packaging/deb/debian/control" ||
  fail "the package of $name has the name of another SOVERSION"

# -- the comparison finds what breaks programs and lets pass what does not
# changed VERDICT SED-COMMAND: breaks or keeps
changed()
{
  sed "$2" "$root/src/api/drystone.h" >changed.h
  cmp -s changed.h "$root/src/api/drystone.h" && fail "$2 changes nothing"
  declarations changed.h >changed.txt
  [ "$(broken now.txt changed.txt | wc -l)" -eq "$1" ] || fail "$2: $(broken now.txt changed.txt)"
}
changed 1 '/int drystone_begin(void);/d'
changed 1 's/int drystone_begin(void);/int drystone_begin(int ranks);/'
changed 1 's/double drystone_world_time(/float drystone_world_time(/'
changed 1 's/^  bool fixed;$/  bool fixed, hidden;/'
changed 1 's/DRYSTONE_IO = 4/DRYSTONE_IO = 6/'
changed 1 's/DRYSTONE_STOPPED = 85/&0/'
changed 1 's/DRYSTONE_LINE, DRYSTONE_PROGRESS/DRYSTONE_PROGRESS, DRYSTONE_LINE/'
changed 1 's/^  DRYSTONE_JOINTS,$//'
changed 1 's/^  bool restart; /  int64_t restart; /'
changed 1 's/^  DrystoneFatal fatal;$//'
changed 1 's/^  int64_t first, count;$/  int32_t first, count;/'
changed 0 's/^  DrystoneFatal fatal;$/&\n  int64_t later;/'
changed 0 's/^  DRYSTONE_VOLUMES$/  DRYSTONE_VOLUMES,\n  DRYSTONE_LATER/'
changed 0 's/^DRYSTONE_API int drystone_end(void);$/&\nDRYSTONE_API int drystone_later(void);/'
changed 0 's,^// Local\.,// Locally.,'
[ "$failures" -eq 0 ] && echo "$name: $(wc -l <now.txt) declarations, $(wc -l <names.txt) functions"
