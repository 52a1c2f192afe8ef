# Sourced by the scripts of the jobs: ends an mpirun that stays when all its ranks are gone.
#
# PMIx, which Open MPI's mpirun is made with, can stop for ever in its own end when a rank was killed
# while it started (4.2.2: it gives back twice what it knows of a rank whose connection was lost
# half-way). A job would then wait until the end of its time. Ranks are found by the variable that
# Open MPI starts them with, so that a launcher without ranks on this machine is left alone.
# LAUNCHER_PATIENCE: for how many seconds none of the ranks may be there (30).

launcher_ended=3   # what launcher_watch returns where it ended one

# launcher_is_dead PROCESS: whether it has ended and nobody has asked after it; fails where it is gone
launcher_is_dead()
{
  local line
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return
  line=${line##*) }
  [ "${line%% *}" = Z ]
}

# launcher_children PROCESS: prints them
launcher_children()
{
  local list line
  for list in "/proc/$1/task"/*/children; do
    line=
    { read -r line <"$list"; } 2>/dev/null
    echo "$line"
  done
}

# launcher_find PROCESS: sets launcher_pid, and launcher_name, of the mpirun that the process is or
# has started
launcher_find()
{
  local process
  for process in "$1" $(launcher_children "$1"); do
    launcher_pid=$process
    { read -r launcher_name <"/proc/$process/comm"; } 2>/dev/null || continue
    case $launcher_name in mpirun | orterun | mpiexec | prterun) return 0 ;; esac
  done
  return 1
}

# launcher_has_ranks PROCESS: whether one of its ranks is there; else launcher_dead is yes where it
# has dead children that it has not asked after, which it does at once when it is well
launcher_has_ranks()
{
  local child
  launcher_dead=
  for child in $(launcher_children "$1"); do
    if launcher_is_dead "$child"; then launcher_dead=yes
    elif grep -qz '^OMPI_COMM_WORLD_RANK=' "/proc/$child/environ" 2>/dev/null; then return 0; fi
  done
  return 1
}

# launcher_watch PROCESS: returns when the process has ended, or kills the mpirun that it is or has
# started, says so and returns launcher_ended. What it waits is counted, not read off a clock, so that
# a machine that was suspended finds its launcher alive. Ranks that die at once are seen by then: looks
# are close to each other at first.
launcher_watch()
{
  local had_ranks='' looks=0 alone=0 pause=1 patience=${LAUNCHER_PATIENCE:-30}   # tenths of a second
  trap '' USR1 INT
  while kill -0 "$1" 2>/dev/null; do
    if ! launcher_find "$1"; then alone=0
    elif launcher_has_ranks "$launcher_pid"; then had_ranks=yes alone=0
    elif [ -n "$had_ranks$launcher_dead" ]; then alone=$((alone + pause))
    else alone=0; fi
    if [ $alone -gt $((patience * 10)) ]; then
      echo "job: $launcher_name (process $launcher_pid) stays, though its ranks are gone for $patience s:" \
        "it is killed"
      trap '' ALRM   # who waits for the launcher ends this watch
      kill -KILL "$launcher_pid"
      return $launcher_ended
    fi
    looks=$((looks + 1))
    [ $looks -lt 100 ] || pause=20
    # one that is left when this watch is ended keeps nobody waiting for the end of the output
    sleep $((pause / 10)).$((pause % 10)) >/dev/null 2>&1
  done
}

# launcher_unwatch WATCH: ends a launcher_watch that runs as that process; returns what it did. By a signal that nobody
# ignores: one that was ignored when a shell began stays so in all that it starts
launcher_unwatch()
{
  local code=0
  kill -ALRM "$1" 2>/dev/null
  wait "$1" 2>/dev/null || code=$?
  return $code
}

# launcher_run COMMAND...: runs a launcher, watched, and returns its code
launcher_run()
{
  local shell=$BASHPID watch code=0   # of this one, not of the one that watches
  launcher_watch "$shell" &
  watch=$!
  "$@" || code=$?
  launcher_unwatch $watch || :
  return $code
}
