# Parts that GNU parallel runs, one of which is lost, give the bits of one run.
parallel --version 2>&1 | grep -q '^GNU parallel' || { echo "GNU parallel is not installed" >&2; exit 77; }
HOME=$PWD "$EXAMPLES/machines.sh"
HOME=$PWD "$EXAMPLES/machines.sh" 3
