# zsh: compinit finds the function of a tool, and the line editor completes its options, words, folders and files.
for needed in zsh script; do
  command -v $needed >/dev/null || { echo "$needed is not installed" >&2; exit 77; }
done
. "$SUPPORT/completions.sh"
install_completions zsh share/zsh _
{
  cat <<'END'
fpath=($PWD/share/zsh $fpath)
autoload -U compinit && compinit -u -D
insert_all() { compstate[insert]=all; }
complete_all() { comppostfuncs=(insert_all) && _main_complete; }
zle -C complete_all complete-word complete_all
bindkey '\e*' complete_all
END
  show_arguments
} >.zshrc
ZDOTDIR=$PWD type_lines 'zsh -d -i'
