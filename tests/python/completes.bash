# What bash and zsh offer for words that are typed, for tests and for jobs/packaging/deb/try.sh.
# test: needs zsh

# bash_completes SCRIPT WORD...: what bash offers for the last word by a script of completion, a line each, sorted
bash_completes()
{
  bash -c 'source "$1"
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _drystone
    printf "%s\n" "${COMPREPLY[@]}" | sort' complete "$@"
}

# zsh_completes FOLDER: types lines of stdin into an interactive zsh, with a tab behind each. Prints the lines as they
# are then, between bars, and how many words were offered. FOLDER has a file _drystone; where it is empty, that of the
# system counts. Files of the folder where this runs are offered, too.
zsh_completes()
{
  local room
  room=$(mktemp -d)
  cat >"$room/typed"
  cat >"$room/types.zsh" <<'END_OF_ZSH'
room=${0:h}
[[ -z $1 ]] || fpath=("$1" $fpath)
autoload -Uz compinit && compinit -u -d $room/dump
setopt no_auto_list no_auto_menu no_beep
count_offered() { offered=$compstate[nmatches] }
zle-line-init()
{
  local line
  for line in "${(@f)$(<$room/typed)}"; do
    BUFFER=$line CURSOR=$#line offered=0 comppostfuncs=(count_offered)
    zle complete-word
    print -r -- "|$BUFFER| $offered" >>$room/left
  done
  exit
}
zle -N zle-line-init
END_OF_ZSH
  # a terminal of its own; what zsh shows there is kept for the failure of a test
  timeout 60 zsh -fc 'zmodload zsh/zpty
    zpty shell TERM=dumb zsh -fi
    zpty -w shell "source $1 $2"
    while zpty -r shell shown; do print -rn -- "$shown"; done' type "$room/types.zsh" "${1:+$(realpath "$1")}" \
    >"$room/shown" 2>&1 </dev/null
  cat "$room/left" 2>/dev/null || cat "$room/shown"
  rm -r "$room"
}
