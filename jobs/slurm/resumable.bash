# Sourced by the batch jobs: a run that goes on from its last checkpoint, and what is done when its time is over.
#
#   resumable_begin                  finds program and launcher, says what starts where
#   resumable_run CASE [OPTION]...   drystone run with --restart; sets resumable_code, its exit code
#   resumable_end                    requeues the job where the run asked for more time, or says why not; exits
#
# Before that, resumable_root is set to the checkout, and resumable_asked to the name of a signal that came already.
# Variables (sbatch --export=ALL,NAME=VALUE): DRYSTONE, the program; LAUNCHER, what starts it on all tasks of a job, by
# default `srun --mpi=pmix` where Slurm has that, else `mpirun`; LAUNCHER_PATIENCE (../launcher.bash), for how long an
# mpirun may stay without ranks; REQUEUES, how often a job may be requeued (100).

resumable_asked=${resumable_asked-}   # the signal that asked the run to stop, passed on or not
resumable_passed=                     # yes: it was passed on to the run
resumable_pid=                        # of the launcher, while it runs
source "$(dirname "${BASH_SOURCE[0]}")/../launcher.bash" || exit 2
trap 'resumable_ask USR1' USR1
trap 'resumable_ask TERM' TERM

resumable_say() { echo "job: $*"; }

# The job as Slurm's commands know it. The last task of an array has the number of the array, which would name all.
resumable_job()
{
  if [ -n "${SLURM_ARRAY_TASK_ID-}" ]; then
    echo "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
  else
    echo "${SLURM_JOB_ID-}"
  fi
}

# Sets resumable_launch, the launcher's words. Slurm's own comes first: at a TERM ranks have as long as Slurm gives them (KillWait, 30 s),
# where mpirun kills them after 2 s. What makes mpirun wait longer makes it wait after every exit code but 0 too.
resumable_choose_launcher()
{
  if [ -n "${LAUNCHER-}" ]; then read -ra resumable_launch <<<"$LAUNCHER"
  elif [ -z "${SLURM_JOB_ID-}" ]; then resumable_launch=("$resumable_root/tests/mpirun.sh" "${RANKS:-1}")
  elif srun --mpi=list 2>&1 | grep -qw pmix; then resumable_launch=(srun --mpi=pmix)
  else resumable_launch=(mpirun); fi
}

resumable_begin()
{
  resumable_program=${DRYSTONE:-$resumable_root/build/drystone}
  # installed, with the program
  [ -e "$resumable_root/CMakeLists.txt" ] || resumable_program=${DRYSTONE:-$resumable_root/../../bin/drystone}
  [[ $resumable_program == */* ]] || resumable_program=$(command -v "$resumable_program")
  [ -x "$resumable_program" ] || {
    resumable_say "no program '${DRYSTONE:-$resumable_program}'; build it, or name it by DRYSTONE=PROGRAM" >&2
    exit 2
  }
  resumable_choose_launcher
}

# The step of the newest checkpoint of a folder, which its manifest has in its name; -1 without one.
resumable_step()
{
  local name newest=-1
  for name in "$1"/checkpoint-*.manifest; do
    name=${name##*/checkpoint-}
    name=${name%.manifest}
    [[ $name =~ ^[0-9]+$ ]] && ((10#$name > newest)) && newest=$((10#$name))
  done
  echo "$newest"
}

# The folder that `drystone run CASE [OPTION]...` writes to, for it is looked into; refuses what would undo a restart.
resumable_folder()
{
  local case=$1 folder name
  name=${case##*/}
  folder=results/${name%.*}
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      -o) folder=${2-}; shift ;;
      --set | --steps | --hash-log | --dump-problem | --max-wall | --allow) shift ;;
      --overwrite)
        resumable_say "--overwrite would begin anew at every requeue; remove the folder, or take another by -o" >&2
        return 2 ;;
    esac
    [ $# -eq 0 ] || shift
  done
  [ -n "$folder" ] || { resumable_say "-o needs a folder" >&2; return 2; }
  echo "$folder"
}

# What changes in the folder when a run has come so far that it heeds signals: its history is opened.
resumable_trace() { stat -c '%i %y %z' "$resumable_results/history.csv" 2>/dev/null; }

# A signal to this shell. A TERM that Slurm sends as it ends the job reaches all processes by itself.
resumable_ask()
{
  [ -z "$resumable_asked" ] || return
  resumable_asked=$1
  if [ "$1" = TERM ] && [ -n "${SLURM_JOB_ID-}" ] &&
    [ "$(timeout 10 squeue --noheader --format=%T --jobs="$(resumable_job)" 2>/dev/null)" != RUNNING ]; then
    resumable_passed=yes
  fi
  resumable_pass
}

# Passes the request on, once, beside the shell: a run that only begins would die of the signal. Where the history
# does not tell (a long look at a large case, a slow file system), a minute must do.
resumable_pass()
{
  [ -n "$resumable_asked" ] && [ -n "$resumable_pid" ] && [ -z "$resumable_passed" ] || return
  resumable_passed=yes
  resumable_say "$resumable_asked: the run is asked for a checkpoint"
  (
    trap '' USR1 TERM
    while [ "$(resumable_trace)" = "$resumable_before" ] && [ $((SECONDS - resumable_began)) -lt 60 ]; do
      sleep 0.5
    done
    kill -USR1 "$resumable_pid"
  ) 2>/dev/null &
}

resumable_run()
{
  local watch
  resumable_results=$(resumable_folder "$@") || exit
  resumable_first=$(resumable_step "$resumable_results")
  resumable_before=$(resumable_trace)
  resumable_began=$SECONDS
  resumable_walled=
  [[ " $* " == *" --max-wall "* ]] && resumable_walled=yes
  resumable_say "start $((${SLURM_RESTART_COUNT-0} + 1)) on $(uname -n), ${SLURM_NTASKS:-${RANKS:-1}} ranks by" \
    "${resumable_launch[*]}, $resumable_results from $(resumable_from), $(date '+%F %T')"
  if [ -n "$resumable_asked" ]; then
    resumable_code=85   # asked to stop before the start
    return
  fi

  "${resumable_launch[@]}" "$resumable_program" run "$@" --restart </dev/null &
  resumable_pid=$!
  launcher_watch "$resumable_pid" &
  watch=$!
  resumable_pass
  while kill -0 "$resumable_pid" 2>/dev/null; do wait "$resumable_pid"; done   # a signal cuts a wait short
  wait "$resumable_pid"
  resumable_code=$?
  resumable_pid=
  launcher_unwatch $watch
  # how its ranks ended is not known; where the queue had asked them to, what they wrote tells whether they got further
  [ $? -ne $launcher_ended ] || [ "$resumable_asked" != USR1 -a -z "$resumable_walled" ] || resumable_code=85
}

resumable_from()
{
  if [ "$resumable_first" -ge 0 ]; then echo "the checkpoint of step $resumable_first"; else echo "the beginning"; fi
}

# resumable_stop REASON...: the job ends with the code of the run
resumable_stop()
{
  resumable_say "$*"
  exit "$resumable_code"
}

# A partition that preempts with a time of grace sends TERM to what srun started, and nothing to this shell; a job that
# ends in that time counts as ended, unless it requeues itself. Without grace Slurm requeues it, and it runs no more.
resumable_is_preempted()
{
  [ -n "${SLURM_JOB_ID-}" ] && timeout 10 scontrol show job -o "$(resumable_job)" 2>/dev/null |
    grep -q ' JobState=RUNNING .* PreemptTime=[0-9]'
}

resumable_end()
{
  local last reason preempted=
  last=$(resumable_step "$resumable_results")
  [ "$resumable_code" -eq 0 ] && resumable_stop "done"
  resumable_is_preempted && preempted=yes
  [ "$resumable_asked" != TERM ] || [ -n "$preempted" ] ||   # the code is 1 where mpirun was ended as well
    resumable_stop "ended by TERM with code $resumable_code; the newest checkpoint is of step $last (-1: none)"
  [ "$resumable_code" -eq 85 ] ||
    resumable_stop "failed with code $resumable_code; the newest checkpoint is of step $last (-1: none)"
  [ -n "${SLURM_JOB_ID-}" ] || resumable_stop "stopped at step $last; call again to go on"
  [ "$resumable_asked" = USR1 ] || [ -n "$resumable_walled" ] || [ -n "$preempted" ] ||
    resumable_stop "stopped at step $last on request, not by the end of its time; submit it again to go on"
  [ "$last" -gt "$resumable_first" ] || [ -n "$preempted" ] ||
    resumable_stop "not requeued: no step further than $last in this start; ask for more time (-t)," \
      "or for a signal nearer to the end (--signal)"
  [ "${SLURM_RESTART_COUNT-0}" -lt "${REQUEUES:-100}" ] ||
    resumable_stop "not requeued: ${REQUEUES:-100} times are enough (REQUEUES); submit it again to go on"

  [ "$resumable_first" -ge 0 ] || resumable_first=0
  resumable_say "${preempted:+preempted and }requeued at step $last, $((last - resumable_first)) steps further"
  trap '' TERM   # the requeue ends this shell as well
  reason=$(scontrol requeue "$(resumable_job)" 2>&1) && exit 85
  resumable_stop "cannot requeue: $reason; submit it again to go on, or as a chain (jobs/README.md)"
}
