#!/bin/bash
# Ranks that are killed while they start (dying_rank.c): no lock that they hold keeps the launcher, and where it stays
# for reasons of its own (PMIx 4.2.2 does, when a connection is cut half-way) the jobs end it and go on.
# test: ranks 3
# test: timeout 900
# test: waits
source "$(dirname "$0")/faults.bash"
jobs=$(cd "$faults/../../jobs" && pwd)
rm -rf results ./*.log ./*.txt ./*.sh
small_case 5 5 20 >case.yaml
unset DYING_RANK DYING_PLACE SLURM_JOB_ID

# in_time TEXT COMMAND...: the command, which must end within 15 s, and more where the machine is busy with other work;
# sets code. Output goes to run.log
in_time()
{
  local began=$SECONDS
  timeout --signal=KILL $((limit + 5)) "${@:2}" >run.log 2>&1
  code=$?
  expect "$1: after $((SECONDS - began)) s of at most $limit, code $code" [ $((SECONDS - began)) -le $limit ]
}
began=$SECONDS
"$mpirun" 3 "$program" run case.yaml -o results >run.log 2>&1 || fail "a run that nothing disturbs"
limit=$((15 + 3 * (SECONDS - began)))
run=("$mpirun" 3 env LD_PRELOAD=dying_rank.so "$program" run case.yaml -o results --overwrite)

# A rank that holds the lock of the data it shares with the launcher. PMIx before version 5 has such data; ours do not
# look into them.
DYING_LOG=looks.txt PMIX_MCA_gds=ds21,ds12,hash in_time "what the environment says stays" "${run[@]}"
if [ -e looks.txt ]; then
  looks=$(wc -l <looks.txt)
  rm looks.txt
  DYING_LOG=looks.txt in_time "nobody dies" "${run[@]}"
  expect "none of $looks looks into shared data is left" [ $code -eq 0 -a ! -e looks.txt ]
else
  echo "this PMIx has no shared data with a lock"
fi
for look in 1 10 $((looks / 3)); do
  DYING_RANK=1 DYING_PLACE=$look in_time "killed at look $look into shared data" "${run[@]}"
done

# The connection to the launcher is cut. As jobs/*/run.sh do, and as the batch jobs do without Slurm:
export DYING_RANK=1 DYING_PLACE=connecting LAUNCHER_PATIENCE=3 DRYSTONE=$program RESULTS=$PWD/results
printf 'source "%s/job.sh"\njob_run case.yaml 3\n' "$jobs" >job.sh
in_time "killed while it connects, a job" env LD_PRELOAD=dying_rank.so bash job.sh
expect "a failure" [ $code -ne 0 ]
cp run.log job.log
rm -rf results
printf '#!/bin/bash\nexec "%s" 3 env LD_PRELOAD=dying_rank.so "$@"\n' "$mpirun" >launcher.sh
printf 'resumable_root=.\nsource "%s/slurm/resumable.bash"\nresumable_begin\nresumable_run "$@"\nresumable_end\n' \
  "$jobs" >batch.sh
chmod +x launcher.sh
LAUNCHER=./launcher.sh in_time "killed while it connects, a batch job" bash batch.sh case.yaml -o results
expect "a failure" [ $code -ne 0 ]
expect "says so" grep -q '^job: failed with code [0-9]*; the newest checkpoint is of step -1' run.log
stayed=$(grep -c '^job: mpirun (process [0-9]*) stays, though its ranks are gone for 3 s: it is killed' run.log)
DYING_RANK=none LAUNCHER=./launcher.sh in_time "the same once more, nobody dies" bash batch.sh case.yaml -o results
expect "done" eval "[ $code -eq 0 ] && grep -q '^job: done' run.log"
expect "all steps" [ "$(newest_checkpoint results)" -eq 20 ]
echo "of 2 launchers $((stayed + $(grep -c 'stays, though' job.log))) stayed without ranks; $failures failures"
[ $failures -eq 0 ]
