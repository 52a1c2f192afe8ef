#!/bin/bash
# A disk of a few hundred kB runs full: in a frame, in a checkpoint, in a table, wherever the room ends. The run says so
# once and ends with code 4, what was complete can be read, and once there is room again a restart ends as if nothing
# had been. The disk is a tmpfs; where none may be mounted the test is skipped.
#
# FULL_DISKS: how many sizes of the room are tried.
# test: needs python3
# test: ranks 2
# test: timeout 900
# test: no_grace
source "$(dirname "$0")/faults.bash"
disks=${FULL_DISKS:-11}
umount disk 2>/dev/null
rm -rf disk reference again ./*.log   # of an earlier run
mkdir disk
if ! mount -t tmpfs -o size=4M tmpfs disk 2>mount.log; then
  echo "skipped: no file system may be mounted here: $(cat mount.log)"
  exit 77
fi
trap 'umount disk' EXIT
small_case 2 2 6 | sed 's/{density: 2400}/{density: 2400, young: 1e9}/
                        s/name: leaves}/name: leaves, elastic: affine}/' >case.yaml
cat >>case.yaml <<'END'
joints:
  - {weld: [0.15, 0, 0.1], between: [blocks.0, blocks.1], touch: false}
  - {tie: [[0, 0, 0.31], [0.3, 0, 0.31]], between: [blocks.2, blocks.3], stiffness: 2e3, yield: {tension: 20}}
END

# run FOLDER OPTION...: two ranks, the log to FOLDER.log in this folder; sets code
run()
{
  log=$(basename "$1").log
  timeout -k 5 60 "$mpirun" 2 "$program" run case.yaml -o "$@" >"$log" 2>&1
  code=$?
}

# leave_room BYTES: the rest of the disk is taken by another file
leave_room()
{
  local free
  free=$(($(df --output=avail -B1 disk | tail -n 1) / 4096 * 4096))
  head -c $((free - $1)) /dev/zero >disk/filler
}

run reference
expect "the run on a disk with room" [ $code -eq 0 ]
needed=$(du -s --apparent-size -B4096 reference | awk '{print 4096 * $1}')
declare -A where
for ((i = 0; i < disks; i++)); do
  room=$((needed * (2 * i + 1) / (2 * disks) / 4096 * 4096))
  text="room of $((room / 1024)) kB"
  leave_room $room
  run disk/results
  name=$(sed -nE 's,^drystone: .*disk/results/([a-z]*).*: No space left on device$,\1,p' results.log)
  [ $code -eq 4 ] || fail "$text: code $code"
  if [ "$(grep -c 'No space left on device' results.log)" -ne 1 ] || [ -z "$name" ]; then
    fail "$text: not said once: $(grep '^drystone' results.log)"
  fi
  where[$name]=$((${where[$name]-0} + 1))
  step=$(newest_checkpoint disk/results)
  /usr/bin/python3 "$faults/same_results.py" reference --part disk/results || fail "$text: what was complete"

  # still full: nothing is lost by trying
  run disk/results --restart
  [ $code -eq 4 ] || fail "$text: a restart without room: code $code"
  [ "$(newest_checkpoint disk/results)" -eq "$step" ] || fail "$text: a restart without room lost a checkpoint"

  rm -f disk/filler
  run disk/results --restart
  [ $code -eq 0 ] || fail "$text: a restart with room: code $code: $(grep '^drystone' results.log)"
  [ "$step" -eq 0 ] || grep -q "restart from step $step," results.log || fail "$text: step $step is not used"
  /usr/bin/python3 "$faults/same_results.py" reference --whole disk/results || fail "$text: contents"
  rm -rf disk/results
done
for name in "${!where[@]}"; do summary="${summary-}, ${where[$name]} in $name"; done
expect "a frame and a checkpoint are among them${summary-}" [ -n "${where[frame]-}" -a -n "${where[checkpoint]-}" ]
echo "$disks full disks${summary-}; $failures failures"
[ $failures -eq 0 ]
