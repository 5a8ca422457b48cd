# Every stage of a layer is as in PyTorch; with a wrong option the first stage that differs is named.
"$EXAMPLES/from-pytorch.sh"
sed 's/attend "/attend --scale 1 "/' "$EXAMPLES/from-pytorch.sh" >wrong.sh
code=0
sh wrong.sh "$EXAMPLES/from-pytorch.h5" >report || code=$?
grep -c "as in PyTorch" report
sed -n 's/.* and .*from-pytorch.h5:/differs: /p' report | cut -c 1-40
echo "code $code"
