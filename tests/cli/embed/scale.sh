# --scale is a finite number.
for scale in nan inf; do embed 1xi64=0 -w 2x2=1,2,3,4 --scale $scale || echo "exit $?"; done
embed 1xi64=1 -w 2x2=1,2,3,4 --scale 2 | tdiff - 1x2=6,8
