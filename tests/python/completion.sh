#!/bin/bash
# bash and zsh themselves complete commands, options, keys behind --set, and files, by what
# `drystone help --completion` prints.
# test: needs zsh
set -u
program=$(realpath "$1")
source "$(dirname "$0")/completes.bash"
command -v zsh >/dev/null || { echo "zsh is not installed"; exit 77; }
rm -rf zsh ./*.txt ./*.bash
failures=0
fail()
{
  echo "FAILED  $*"
  failures=$((failures + 1))
}
mkdir zsh
touch case.yaml
"$program" help --completion bash >drystone.bash || fail "no script for bash"
"$program" help --completion zsh >zsh/_drystone || fail "no script for zsh"

# -- lines, and the only word that both offer in the place of the last one, if any
cat >single.txt <<'END'
drystone rep|report
drystone --v|--version
drystone run --re|--restart
drystone run case.yaml --max|--max-wall
drystone run --tur|
drystone quality --tur|--turns
drystone bench l|lmd
drystone bench overlap --b|--boxes
drystone help sta|statics
drystone help --man|--man
drystone run case.yaml --set solver.tol|solver.tolerance=
drystone run case.yaml --set output.frames.ev|output.frames.every=
drystone run case.yaml --set bodies.0.arch.piers.w|bodies.0.arch.piers.width=
drystone run case.yaml --set bodies.0.column.cap|bodies.0.column.capital=
drystone run case.yaml --set stages.0.servos.0.pr|stages.0.servos.0.pressure=
drystone run case.yaml --set solver.tolerence|
END
while IFS='|' read -r typed offered; do
  read -ra words <<<"$typed"
  found=$(bash_completes drystone.bash "${words[@]}")
  [ "$found" = "$offered" ] || fail "bash offers '$found' for '$typed'"
  # a word is complete with a blank behind it; behind a key comes its value
  case $offered in
  '') echo "|$typed| 0" ;;
  *=) echo "|${typed% *} $offered| 1" ;;
  *) echo "|${typed% *} $offered | 1" ;;
  esac >>wanted.txt
done <single.txt
cut -d '|' -f 1 single.txt | zsh_completes zsh >left.txt
cmp -s wanted.txt left.txt || fail "zsh: $(diff wanted.txt left.txt)"

# -- all that both offer: commands, options of one, keys; files are left to the shells
bash_completes drystone.bash drystone '' | grep -v '^--' >commands.txt
bash_completes drystone.bash drystone run -- >options.txt
bash_completes drystone.bash drystone run case.yaml --set '' >keys.txt
"$program" help --keys | cut -f 1 | sed 's/\*/0/g; s/$/=/' | sort | cmp -s - keys.txt ||
  fail "bash offers other keys than help lists"
for list in commands:12 options:10 keys:500; do
  [ "$(wc -l <"${list%:*}.txt")" -ge "${list#*:}" ] || fail "bash: few ${list%:*}: $(cat "${list%:*}.txt")"
done
[ -z "$(bash_completes drystone.bash drystone run ca)" ] || fail "bash: files are not left to the shell"
cat >wanted.txt <<END
|drystone | $(wc -l <commands.txt)
|drystone run --| $(wc -l <options.txt)
|drystone run case.yaml --set | $(wc -l <keys.txt)
|drystone run case.yaml | 1
END
printf '%s\n' "drystone " "drystone run --" "drystone run case.yaml --set " "drystone run cas" |
  zsh_completes zsh >left.txt
cmp -s wanted.txt left.txt || fail "zsh: $(diff wanted.txt left.txt)"
[ "$failures" -eq 0 ] || exit 1
echo "$(wc -l <single.txt) words in two shells, $(wc -l <commands.txt) commands, $(wc -l <keys.txt) keys"
