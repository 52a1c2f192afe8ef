#!/bin/bash
# A run with --overwrite that is killed at any of its calls while it removes earlier results: what is left is whole, or
# refused by a run and a restart with the same words until --overwrite has finished. Nothing foreign is touched.
# OVERWRITE_EVERY: which calls beside those where the removal begins and ends, every one by 1.
# test: timeout 600
source "$(dirname "$0")/faults.bash"
every=${OVERWRITE_EVERY:-7}
rm -rf reference old now strange ./*.log ./*.txt   # of an earlier run
small_case 4 4 8 >case.yaml
small_case 4 4 8 | sed 's/velocity: \[0.5, 0, 0\]/velocity: [0.25, 0, 0]/' >other.yaml

# run FOLDER OPTION...: of the case, alone; sets code. Its log is run.log
run()
{
  # by a shell of its own, so that this one does not report what was killed
  bash -c 'env "$@" >run.log 2>&1 </dev/null' bash ${FAULT_FOLDER:+LD_PRELOAD="$preload"} \
    "$program" run case.yaml -o "$@" 2>shell.txt
  code=$?
}
run reference || fail "the run that nobody touches"
"$program" run other.yaml -o old >old.log 2>&1 </dev/null || fail "the earlier run"
echo mine >old/notes.txt
names() { (cd "$1" && find . -type f ! -name notes.txt ! -name lock | sort); }
words='^drystone: the folder now holds what a run with --overwrite that was ended has not removed yet; finish that with'

# its calls on files of the folder: those of the removal come before the first file of its own
cp -r old now
: >count.txt
FAULT_RANK= with_fault now '' count 0 0 count.txt run now --overwrite
expect "--overwrite: code $code" [ $code -eq 0 ]
expect "is what a run in an empty folder is" diff <(names reference) <(names now)
first=$(grep -n ' rename .*/results\.overwriting$' count.txt | head -n 1 | cut -d: -f1)
last=$(grep -n ' unlink .*/results\.overwriting\.tmp$' count.txt | head -n 1 | cut -d: -f1)
expect "calls ${first-} to ${last-} of $(wc -l <count.txt) remove" \
  [ "${first:-0}" -gt 0 -a "${last:-0}" -gt "${first:-0}" ]
removed=$(sed -n "${first},${last}p" count.txt | grep -c ' unlink ')
expect "all $(names old | wc -l) files, the first under another name" [ "$removed" -eq "$(names old | wc -l)" ]

tried=0 whole=0 refused=0 empty=0
for ((call = 1; call <= last + 1; call++)); do
  [ $((call % every)) -eq 0 ] || [ $call -le $((first + 1)) -a $call -ge $((first - 1)) ] ||
    [ $call -ge $((last - 1)) ] || continue
  tried=$((tried + 1))
  rm -rf now met.txt
  cp -r old now
  : >met.txt
  FAULT_RANK= with_fault now '' kill $call 1 met.txt run now --overwrite
  [ $code -eq 137 ] && [ -s met.txt ] || { fail "call $call: not killed, code $code"; continue; }
  if [ -e now/results.overwriting ]; then
    refused=$((refused + 1))
    for option in --restart ''; do
      run now $option
      [ $code -eq 2 ] && grep -q "$words" run.log || fail "call $call, '$option': code $code, $(tail -n 1 run.log)"
    done
    "$program" info now >info.log 2>&1
    grep -q 'warning: now: a run with --overwrite had begun to remove these results' info.log ||
      fail "call $call: info does not say so: $(head -n 3 info.log)"
  elif [ -n "$(names now | grep -v '\.tmp$')" ]; then
    whole=$((whole + 1))
    diff <(names old) <(names now) >difference.txt || fail "call $call: results are left in part"
    [ "$("$program" info --hash now | tail -n 1)" = "$("$program" info --hash old | tail -n 1)" ] ||
      fail "call $call: not what was there"
  else
    empty=$((empty + 1))
  fi
  # where nothing is left no option is needed
  if [ -n "$(names now | grep -v '\.tmp$')" ]; then run now --overwrite; else run now; fi
  [ $code -eq 0 ] || fail "call $call, once more: code $code, $(tail -n 1 run.log)"
  diff <(names reference) <(names now) >difference.txt ||
    fail "call $call, once more: other files: $(cat difference.txt)"
  [ "$("$program" info --hash now | tail -n 1)" = "$("$program" info --hash reference | tail -n 1)" ] ||
    fail "call $call, once more: another state"
  [ "$(cat now/notes.txt)" = mine ] || fail "call $call: what is not ours was touched"
done
expect "killed before, in between and after" [ $whole -gt 0 -a $refused -gt 3 -a $empty -gt 0 ]

# files that cannot be removed: what was begun is told from what was not
cp -r old now2 && rm -rf now && mv now2 now
FAULT_RANK= with_fault now '' EIO $((first + 2)) 0 met.txt run now --overwrite
expect "a failing disk: code $code" [ $code -eq 4 ]
run now --restart
expect "then a restart is refused" eval "[ $code -eq 2 ] && grep -q '$words' run.log"

# a folder that somebody gave a name of ours is named, and keeps it
mkdir -p strange/frame-000003.h5
run strange --overwrite
expect "a folder in the place of a frame" eval "[ $code -eq 4 ] && grep -q 'strange/frame-000003.h5: ' run.log"
expect "stays" [ -d strange/frame-000003.h5 ]
echo "$tried kills: $whole left all, $refused a part that is refused, $empty nothing; $failures failures"
[ $failures -eq 0 ]
