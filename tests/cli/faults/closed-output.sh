# Standard output that is closed is a failed write, not silence.
tconv linspace=0,1,10 >&- && echo "no error" || echo $?
tdiff 1 2 >&- && echo "no error" || echo $?
tdiff --help >&- && echo "no error" || echo $?
