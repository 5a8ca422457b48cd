# Colours on a terminal, not into a file or a pipe, with NO_COLOR or on a dumb terminal.
command -v script >/dev/null || { echo "script is not installed" >&2; exit 77; }
shown() { script -qec "$1" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b/E/g'; }
TERM=xterm-256color
export TERM
shown 'tplot 1x2xf64=1,2'
shown 'tplot 1x2xf64=1,nan --column-labels str=one,two'
shown 'NO_COLOR=1 tplot 1x2xf64=1,2'
shown 'NO_COLOR= tplot 1x2xf64=1,2' | grep -c 'E\['
shown 'TERM=dumb tplot 1x2xf64=1,2'
shown 'tplot 1x2xf64=1,2 >file'
cat file
tplot 1x2xf64=1,2
