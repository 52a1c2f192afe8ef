#!/bin/bash
# A table that exists in a test alone (test_state.c) is written on some ranks and read on others: same rows, same hash.
# test: ranks 7
# test: timeout 300
source "$(dirname "$0")/runs.bash"
rm -rf marks-* *.txt   # of an earlier run
marks=$(dirname "$program")/tests/mpi_state
for ranks in 1 3; do
  "$mpirun" "$ranks" "$marks" write "marks-$ranks" >"write-$ranks.txt" 2>&1
  expect "written on $ranks ranks" [ $? -eq 0 ]
  for readers in 1 2 3 4 7; do
    "$mpirun" "$readers" "$marks" read "marks-$ranks" >"read-$ranks-$readers.txt" 2>&1
    expect "of $ranks ranks read on $readers" [ $? -eq 0 ]
    grep '^hash ' "read-$ranks-$readers.txt" >>hashes.txt
  done
done
expect "ten hashes, all the same" [ "$(sort hashes.txt | uniq -c | awk '{ print $1 }')" = 10 ]
[ "$failures" -eq 0 ]
