# Sourced by tests of batch jobs: a Slurm of this machine alone, for the user who runs the test, beside any other one.
#
#   slurm_machine_start FOLDER   munged, slurmctld and slurmd with all their state below FOLDER; sets SLURM_CONF.
#                                Prints the reason and returns 77 where they are not installed or do not start.
#   slurm_machine_lose_power     kills the node as a failure of power does: slurmd, jobs and all they started
#   slurm_machine_return         the node is back, for jobs that Slurm requeued meanwhile
#   slurm_machine_stop           ends all that the folder's Slurm has started, jobs included; once or many times
#
# Sockets and ports are its own, so that neither a munged nor a Slurm of the system is touched. The node claims 8
# cores, whatever there is, so that four ranks fit on any machine. Jobs of the partition urgent preempt the others.
# test: needs munge slurm-wlm

slurm_machine_folder=
slurm_machine_host=$(uname -n)
slurm_machine_host=${slurm_machine_host%%.*}
slurm_machine_daemons=()   # munged, slurmctld, slurmd

# Prints a range of COUNT ports of TCP that nobody listens to, by its first.
slurm_machine_ports()
{
  local first port taken
  for _ in {1..100}; do
    first=$((20000 + (RANDOM % 1200) * 10))
    taken=
    for ((port = first; port < first + $1; port++)); do
      (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && taken=yes
    done
    [ -n "$taken" ] || { echo "$first"; return; }
  done
  return 1
}

# The state of Slurm is thrown away with the folder. Times are short: a requeued job waits for cred_expire and a
# second (121 s by default), and what becomes due is looked for every second.
slurm_machine_configure()
{
  local folder=$1 user host=$slurm_machine_host port
  user=$(id -un)
  port=$(slurm_machine_ports 2) || return 1
  cat <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=1,sched_interval=1,sched_min_interval=100000,bf_interval=1
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
KillWait=30
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
CompleteWait=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=1000
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP PriorityTier=1 GraceTime=15
PartitionName=urgent Nodes=$host MaxTime=INFINITE State=UP PriorityTier=2
END
}

# slurm_machine_wait SECONDS COMMAND...: until the command succeeds, or returns 1
slurm_machine_wait()
{
  local tries=$(($1 * 5))
  shift
  while ! "$@" >/dev/null 2>&1; do
    [ $((tries -= 1)) -gt 0 ] || return 1
    sleep 0.2
  done
}

slurm_machine_is_idle() { [ "$(sinfo --noheader --partition=main --format=%T)" = idle ]; }

# slurm_machine_daemon NAME COMMAND...: in the background, with its words in FOLDER/NAME.log
slurm_machine_daemon()
{
  "${@:2}" >"$slurm_machine_folder/$1.log" 2>&1 </dev/null &
  slurm_machine_daemons+=($!)
}

# slurm_machine_failed DAEMON: says why, ends what runs
slurm_machine_failed()
{
  echo "$1 does not start here as user $(id -un):"
  tail -n 5 "$slurm_machine_folder/$1.log"
  slurm_machine_stop
  return 77
}

slurm_machine_start()
{
  local tool
  PATH=$PATH:/usr/sbin:/sbin
  for tool in munged munge slurmctld slurmd sbatch srun scontrol; do
    command -v $tool >/dev/null || { echo "$tool is not installed (packages slurm-wlm and munge)"; return 77; }
  done
  mkdir -p "$1" && chmod 755 "$1" || return
  slurm_machine_folder=$(cd "$1" && pwd)
  [ ${#slurm_machine_folder} -lt 80 ] || { echo "$slurm_machine_folder is too long a name for a socket"; return 77; }
  export SLURM_CONF=$slurm_machine_folder/slurm.conf
  slurm_machine_configure "$slurm_machine_folder" >"$SLURM_CONF" || { echo "no free ports"; return 77; }
  mkdir -p "$slurm_machine_folder/state" "$slurm_machine_folder/spool"
  head -c 128 /dev/urandom >"$slurm_machine_folder/munge.key"
  chmod 600 "$slurm_machine_folder/munge.key"

  local munge=$slurm_machine_folder/munge
  slurm_machine_daemon munged munged --foreground --force --key-file="$munge.key" --socket="$munge.socket" \
    --pid-file="$munge.pid" --seed-file="$munge.seed" --log-file="$munge.log" --num-threads=2
  slurm_machine_wait 10 munge --no-input --socket="$munge.socket" || { slurm_machine_failed munged; return; }
  slurm_machine_daemon slurmctld slurmctld -D -c
  slurm_machine_wait 20 scontrol ping || { slurm_machine_failed slurmctld; return; }
  slurm_machine_daemon slurmd slurmd -D -c
  slurm_machine_wait 20 slurm_machine_is_idle || { slurm_machine_failed slurmd; return; }
}

# Processes that were begun with the name of this Slurm's configuration: its daemons, jobs, and what those start. What
# a test starts beside it is begun without (env -u SLURM_CONF).
slurm_machine_processes()
{
  local file
  for file in /proc/[0-9]*/environ; do
    file=${file%/environ}
    file=${file#/proc/}
    [ "$file" != $$ ] && [ "$file" != "$BASHPID" ] || continue
    grep -qsxzF "SLURM_CONF=$SLURM_CONF" "/proc/$file/environ" 2>/dev/null && echo "$file"
  done
}

slurm_machine_lose_power()
{
  local pid
  for pid in $(slurm_machine_processes); do
    [[ " ${slurm_machine_daemons[*]:0:2} " == *" $pid "* ]] || kill -KILL "$pid" 2>/dev/null
  done
  wait "${slurm_machine_daemons[2]}" 2>/dev/null
  unset "slurm_machine_daemons[2]"
  # what Slurm finds out by itself after SlurmdTimeout
  scontrol update "NodeName=$slurm_machine_host" State=DOWN Reason=power
}

slurm_machine_return()
{
  slurm_machine_daemon slurmd slurmd -D -c
  scontrol update "NodeName=$slurm_machine_host" State=RESUME
}

slurm_machine_stop()
{
  [ -n "$slurm_machine_folder" ] || return 0
  local pid left
  # jobs first, which slurmd ends in order; then the daemons; then whoever is left
  if scontrol ping >/dev/null 2>&1; then
    timeout 10 scancel --signal=KILL --full --user="$(id -un)" >/dev/null 2>&1
    timeout 10 scancel --user="$(id -un)" >/dev/null 2>&1
    slurm_machine_wait 5 slurm_machine_is_idle
  fi
  for pid in $(tac -s ' ' <<<"${slurm_machine_daemons[*]} "); do kill "$pid" 2>/dev/null; done
  for _ in {1..25}; do
    left=
    for pid in "${slurm_machine_daemons[@]}"; do kill -0 "$pid" 2>/dev/null && left=yes; done
    [ -n "$left" ] || break
    sleep 0.2
  done
  for pid in $(slurm_machine_processes) "${slurm_machine_daemons[@]}"; do kill -KILL "$pid" 2>/dev/null; done
  wait "${slurm_machine_daemons[@]}" 2>/dev/null
  slurm_machine_daemons=()
  slurm_machine_folder=
}
