#!/bin/bash
# Folders of results that cannot be written: on a file system without writing, of another user, a file in the place of
# the folder or of one above it. The run says which and why, once, ends with code 4, and has changed nothing.
# test: ranks 2
# test: no_grace
source "$(dirname "$0")/faults.bash"
umount disk 2>/dev/null
chmod -R u+rwx foreign 2>/dev/null
rm -rf disk good foreign file ./*.log   # of an earlier run
small_case 2 2 6 >case.yaml
left_out=""

# picture: names, sizes, owners, times and bytes of everything
picture()
{
  find "$@" -printf '%p %s %u %m %T@\n' 2>&1 | sort
  find "$@" -type f -exec sha256sum {} + 2>&1 | sort
}

# refused TEXT FOLDER REASON COMMAND...: the run of a command does not begin, in a folder that stays as it is
tried=0
refused()
{
  local before code top=${2%%/*}
  before=$(picture "$top")
  timeout -k 5 60 "${@:4}" >run.log 2>&1
  code=$?
  tried=$((tried + 1))
  [ $code -eq 4 ] || fail "$1: code $code: $(tail -n 3 run.log)"
  if [ "$(grep -c '^drystone: ' run.log)" -ne 1 ] || ! grep -qE "^drystone: .*$2.*$3" run.log; then
    fail "$1: not said once: $(grep '^drystone' run.log)"
  fi
  [ "$before" = "$(picture "$top")" ] || fail "$1: $top has changed: $(diff <(echo "$before") <(picture "$top"))"
}

# on_ranks TEXT FOLDER REASON OPTION...: one process, and two ranks
on_ranks()
{
  refused "$1" "$2" "$3" "$program" run case.yaml -o "$2" "${@:4}"
  refused "$1, two ranks" "$2" "$3" "$mpirun" 2 "$program" run case.yaml -o "$2" "${@:4}"
}

"$mpirun" 2 "$program" run case.yaml -o good --steps 4 >good.log 2>&1 || fail "the run in a good folder"
echo "no folder" >file
on_ranks "a file in the place of the folder" file "Not a directory"
on_ranks "a file above the folder" file/results "Not a directory"

mkdir disk
if mount -t tmpfs -o size=4M tmpfs disk 2>mount.log; then
  trap 'umount disk' EXIT
  cp -r good disk/results
  mount -o remount,ro disk
  on_ranks "a file system without writing, restart" disk/results "Read-only file system" --restart
  on_ranks "a file system without writing, all anew" disk/results "Read-only file system" --overwrite
  on_ranks "a file system without writing, a new folder" disk/other "Read-only file system"
else
  left_out=", left out: nothing may be mounted here ($(cat mount.log))"
fi

# another user: who runs the tests may write everywhere, so one who may not is asked to
as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp)
if "${as_nobody[@]}" "$program" --version >/dev/null 2>mount.log; then
  cp -r good foreign
  chmod -R go-w foreign
  for options in --restart --overwrite; do
    refused "a folder of another user, $options" foreign "Permission denied" \
      "${as_nobody[@]}" "$program" run case.yaml -o foreign $options
  done
  refused "a new folder in one of another user" foreign/new "Permission denied" \
    "${as_nobody[@]}" "$mpirun" 2 "$program" run case.yaml -o foreign/new
else
  left_out="$left_out, left out: no other user can be asked ($(head -n 1 mount.log))"
fi

# what could not be begun there goes on elsewhere
"$mpirun" 2 "$program" run case.yaml -o good --restart >good.log 2>&1 || fail "the restart in the good folder"
echo "$tried runs refused$left_out; $failures failures"
[ $failures -eq 0 ]
