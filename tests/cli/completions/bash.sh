# bash: bash-completion finds the script of a tool, and readline completes its options, words, folders and files.
for needed in bash script; do
  command -v $needed >/dev/null || { echo "$needed is not installed" >&2; exit 77; }
done
[ -e /usr/share/bash-completion/bash_completion ] || { echo "bash-completion is not installed" >&2; exit 77; }
. "$SUPPORT/completions.sh"
install_completions bash share/bash-completion/completions ''
{ echo '. /usr/share/bash-completion/bash_completion' && show_arguments; } >bash.rc
XDG_DATA_DIRS=$PWD/share INPUTRC=/dev/null type_lines 'bash --noprofile --rcfile bash.rc -i'
