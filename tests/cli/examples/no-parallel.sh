# Without GNU parallel its example says what to install.
mkdir bin
for tool in sh dirname grep; do ln -s "$(command -v $tool)" bin/$tool; done
PATH=$PWD/bin "$EXAMPLES/parallel.sh" recordings smoothed
