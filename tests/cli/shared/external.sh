# --external: elements of other files, in every tool that reads tensors; without it, none of them reads them.
cp -r "$FIXTURES/hdf5/others" .
while read -r command; do
  $command --external others others/master.h5:/rows -O csv >virtual
  $command 4x3=0,1,2,3,4,5,10,11,12,13,14,15 -O csv | tdiff virtual - || echo "$command differs"
  code=0
  $command others/master.h5:/rows -O csv >none 2>&1 || code=$?
  [ $code -eq 65 ] || echo "$command: exit code $code"
done <<COMMANDS
tconv
softmax
posenc
attend
COMMANDS
