# Sourced by array.sbatch and jobs/study.sh: one row of a table as a run that goes on from its last checkpoint.
# test: needs python3

# study_read_words CASE TABLE [-o FOLDER] [OPTION]...: sets study_case, study_table, study_folder, study_options
study_read_words()
{
  study_case=${1-}
  study_table=${2-}
  [ $# -ge 2 ] && [[ $1 != -* && $2 != -* ]] || {
    resumable_say "a study needs a case and a table: CASE TABLE [-o FOLDER] [OPTION]..." >&2
    exit 2
  }
  study_folder=results/$(basename "$study_table" .csv)
  study_options=()
  shift 2
  while [ $# -gt 0 ]; do
    if [ "$1" = -o ] && [ $# -gt 1 ]; then
      study_folder=$2
      shift
    else
      study_options+=("$1")
    fi
    shift
  done
}

# study_tool COMMAND WORD...: study.py, which needs no more than Python's own library
study_tool()
{
  local python=${PYTHON3:-python3}
  command -v "$python" >/dev/null || {
    resumable_say "a study needs Python 3: there is no program '$python'; install the package python3" >&2
    return 2
  }
  "$python" "$resumable_root/jobs/slurm/study.py" "$@"
}

# study_run ROW: sets resumable_code
study_run()
{
  local row=$1 words
  # through a pipe, since words end by NUL; what begin says of a row it refuses must end the job
  mapfile -d '' -t words < <(study_tool begin "$study_table" "$row" "$study_folder" || printf 'refused\0')
  [ "${words[0]-}" = --set ] || exit 2
  resumable_run "$study_case" "${words[@]}" "${study_options[@]}" -o "$study_folder/$row"
  study_tool end "$study_folder" "$row" "$resumable_code" || exit
}
