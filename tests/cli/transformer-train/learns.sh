# A small model learns, the better of two epochs is kept, and the result is a model.
. "$TESTDIR/shared.shlib"
small_model
transformer-train -m start --init --data data.tsv --valid data.tsv --batch 8 --lr 1e-2 --after 40e --clip-norm 1 -o model --quiet
tail -n 1 model/log.csv | awk -F , '{ print ($4 < 0.7 ? "learned" : "loss " $4), ($5 > 0.7) }'
head -n 1 model/log.csv
transformer-run -m model "3 mars 2021" | grep -c '^[0-9-]*$'
# The other files of a model go along, but nothing that a link elsewhere leads to.
ln -s "$PWD/data.tsv" start/others.txt
echo '{}' >start/more.json
transformer-train -m start --init --data data.tsv --after 1u --quiet -o copied
ls copied
# What the folder of sentence-transformers has beside its model, the weights of a module too, so that the result runs.
cp -R "$CONFORMANCE/sentences/mean-dense" sentences
sed 's/"BertModel"/"BertForMaskedLM"/' "$CONFORMANCE/sentences/mean-dense/config.json" >sentences/config.json
mkdir -p sentences/additional_chat_templates sentences/onnx
echo '{{ messages }}' >sentences/additional_chat_templates/tool_use.jinja
echo x >sentences/onnx/model.onnx
transformer-train -m sentences --init --train 'cls.*' --data "$CONFORMANCE/sentences/texts" --after 1u --quiet -o whole
find whole -mindepth 2 | sort
transformer-run -m sentences --quiet <"$CONFORMANCE/sentences/texts" >before
transformer-run -m whole --quiet <"$CONFORMANCE/sentences/texts" | cmp - before
