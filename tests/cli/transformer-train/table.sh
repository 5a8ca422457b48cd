# A classifier from the columns of a table, on models that have no head for its labels.
. "$SUPPORT/try.sh"
mkdir plain masked
cat >config.head <<EOF
{"model_type": "bert", "vocab_size": 51, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
 "intermediate_size": 32, "hidden_act": "gelu", "max_position_embeddings": 64, "type_vocab_size": 2,
 "layer_norm_eps": 1e-12, "pad_token_id": 0,
EOF
for name in plain masked; do
  sed 's/"content": *"<unk>"/"content":"<mask>"/; s/"<unk>"/"<mask>"/g' "$EXAMPLES/dates/tokenizer.json" >$name/tokenizer.json
done
{ cat config.head; echo '"architectures": ["BertForMaskedLM"]}'; } >masked/config.json
cut -f 1 "$EXAMPLES/dates/heldout.tsv" | head -n 80 >texts
transformer-train -m masked --init --data texts --after 1u --lr 0 --quiet -o start
# A table with a header, an id, a text with a comma in quotes, and a label.
awk -F '\t' 'BEGIN { print "id,text,kind,stars" } { l = $1 ~ /[a-z]/
  print NR ",\"" $1 ", \"\"so\"\"\"," (l ? "letters" : "figures") "," (l ? 5 : 1) }' texts >dates.csv
train() { transformer-train --batch 10 --lr 1e-2 -t 1 "$@"; }

train -m start --data dates.csv:/text,kind --valid 25% --after 12e -o new 2>log
sed -n 1,2p log
sed -n 's/^transformer-train: //; /^accuracy/,$p' log | awk 'NR == 1 { print ($2 >= 0.8); $2 = "A"; print }
  NR == 2 { print $1, $2 } NR > 2 { n += $2 + $3; print $1 } END { print n }'
tr -d ' \n' <new/config.json | grep -o '"architectures":[^]]*]\|"id2label":[^}]*}\|"label2id":[^}]*}\|"problem_type":[^,]*'
transformer-run -m new "16/11/1922" "7 avril 1960" | cut -f 1
tail -n 1 new/log.csv | cut -d , -f 1,2

# The same run again, in two parts, and with other threads has the same bits.
train -m start --data dates.csv:/text,kind --valid 25% --after 4u --quiet -o stopped
train -m start --data dates.csv:/text,kind --valid 25% --after 12e --quiet --resume -t 2 -o stopped
cmp new/model.safetensors stopped/model.safetensors
cmp new/config.json stopped/config.json
try train -m start --data dates.csv:/text,kind --valid 20% --after 13e --resume -o stopped

# The head is random, normal with initializer_range and without offsets; the layers are those of the folder.
train -m start --data dates.csv:/text,stars --lr 0 --after 1u --batch 80 -o still 2>log
sed -n 1,2p log
for name in bert.encoder.layer.0.output.dense.weight bert.embeddings.word_embeddings.weight; do
  tdiff "start/model.safetensors:/$name" "still/model.safetensors:/$name" --ulp 0
done
tconv still/model.safetensors:/classifier.bias -O csv --no-header
tconv still/model.safetensors:/bert.pooler.dense.weight -O csv --no-header | tr , '\n' |
  awk '{ s += $1; t += $1 * $1 } END { print int(1000 * sqrt(t / NR) + 0.5), (s / NR) ^ 2 < 1e-5 }'

# A classifier with all labels keeps its head, by name and by number; with none of them it gets another.
train -m new --data dates.csv:/text,kind --lr 0 --after 1u --quiet -o kept
tdiff new/model.safetensors kept/model.safetensors --ulp 0
awk -F , 'NR == 1 { print "text\tlabel" } NR > 1 { print $1 "\t" NR % 2 }' dates.csv >numbers.tsv
train -m new --data numbers.tsv:/text,label --lr 0 --after 1u --quiet -o kept-by-number
tdiff new/model.safetensors kept-by-number/model.safetensors --ulp 0
train -m new --data dates.csv:/text,stars --after 1u -o other 2>&1 | head -n 1
sed 's/,figures,/,digits,/' dates.csv >typo.csv
try train -m new --data typo.csv:/text,kind --after 1u -o wrong

# Pairs, one text for a masked language model, and a file of rows that are not learned.
train -m start --data 'dates.csv:/text,text,kind[0:20]' --after 1u --max-length 40 -o twice 2>&1 |
  sed -n '/update of/p; /labels, columns/p' | sed 's/accuracy [0-9.]*/accuracy A/'
awk -F , 'NR == 1 { print "a\tb\tlabel" } NR > 1 { print NR "\t" NR + NR % 2 "\t" (NR % 2 ? "same" : "other") }' dates.csv >pairs.tsv
train -m start --data pairs.tsv:/a,b,label --valid pairs.tsv:/a,b,label --after 1u --quiet -o pairs
printf '3\t4\n' | transformer-run -m pairs | cut -f 1 | grep -c 'same\|other'
train -m start --data dates.csv:/text --after 1u --quiet -o masked-again
ls masked-again

try train -m start --data dates.csv:/kind,text -o wrong
try train -m start --data 'dates.csv:/text,kind[0:1]' -o wrong
try train -m start --data dates.csv:/text,nothing -o wrong
try train -m start --data dates.csv:/text,kind,stars,id -o wrong
try train -m start --data dates.csv:/text,kind --valid 0.1% -o wrong
try train -m start --data dates.csv:/text,kind --valid 100% -o wrong
try train -m start --data dates.csv:/text,kind --emit gradients -o wrong.h5
printf 'text,label\n3 mars,\n4 mars,a\n5 mars,b\n' >empty.csv
try train -m start --data empty.csv:/text,label -o wrong

# A file whose columns are text and label needs no names; another kind of file is asked for them.
awk -F , 'NR == 1 { print "label,text" } NR > 1 { print $(NF - 1) "," $1 }' dates.csv >both.csv
tr , '\t' <both.csv >both.tsv
sed 1d both.tsv >neither.tsv
cp -R start encoder && sed -i 's/BertForMaskedLM/BertModel/' encoder/config.json
for file in both.csv both.tsv; do
  train -m encoder --data $file --valid $file --after 1u --quiet -o "of-$file"
  cmp of-both.csv/model.safetensors "of-$file/model.safetensors"
done
train -m encoder --data neither.tsv:/1,0 --no-header --after 1u -o by-number 2>&1 | grep -o 'labels .* so'
try train -m encoder --data neither.tsv --after 1u -o wrong
try train -m encoder --data both.csv --valid 10 --after 1u -o wrong
