# --task finds XLNet's heads, and problem_type says how logits become probabilities.
cp -R "$CONFORMANCE/models/xlnet" m
cp "$FIXTURES/words/tokenizer.json" m
transformer-run -m m --best 2 "the [MASK] went" >default.txt
transformer-run -m m --task fill-mask --best 2 "the [MASK] went" | diff default.txt - && echo "the same masks"
for task in token-classification question-answering text-classification; do
  transformer-run -m m --task $task "the man" 2>&1 | grep -o 'lack the tensor [^ ]*'
done
# A map of nothing but zeros leaves its biases: logits 0, 1 and 2.
tconv m/model.safetensors -o m/model.h5
rm m/model.safetensors
add() { tconv "$2" --reshape "$3" --dtype f32 -o "m/model.h5:/$1" -A; }
add sequence_summary.summary.weight linspace=0,0,1024 32,32
add sequence_summary.summary.bias linspace=0,0,32 32
add logits_proj.weight linspace=0,0,96 3,32
add logits_proj.bias 3xf32=0,1,2 3
cp m/config.json plain.json
for type in single_label_classification multi_label_classification regression; do
  sed "s/\"n_head\"/\"problem_type\": \"$type\", \"num_labels\": 3, &/" plain.json >m/config.json
  transformer-run -m m --task text-classification --best 3 "the man"
done
# A picture's labels: probabilities from its logits by hand.
cp -R "$CONFORMANCE/models/vit-classify" v
cp "$CONFORMANCE/image/rgb.png" .
echo '{"size": 24}' >v/preprocessor_config.json
cp v/config.json plain.json
transformer-run -m v -O csv rgb.png | tail -n 1 | tr , '\n' | sort -rg >logits
sed "s/\"hidden_size\"/\"problem_type\": \"multi_label_classification\", &/" plain.json >v/config.json
transformer-run -m v --best 2 rgb.png | cut -f 2,4
awk '{ printf "%.4f%s", 1 / (1 + exp(-$1)), NR == 2 ? "\n" : "\t"; if (NR == 2) exit }' logits
sed "s/\"hidden_size\"/\"problem_type\": \"regression\", &/" plain.json >v/config.json
transformer-run -m v --best 2 rgb.png | cut -f 2,4
head -n 2 logits | xargs printf '%.4f\t%.4f\n'
transformer-run -m "$CONFORMANCE/models/gpt2" --task fill-mask --list 2>&1 || echo $?
