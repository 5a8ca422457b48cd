# Marian: a letter that source.spm lacks has its id in vocab.json, if it has one, as in MarianTokenizer of transformers
# 5.24, from which these ids are.
. "$SUPPORT/tokenizers.sh"
folder 'families/marian/source.spm families/marian/vocab.json families/marian/tokenizer_config.json' '' ''
printf '%s\n' 'the Ж' 'Жa' 'ЖЖ that' 'Ӝ Ж' >lines
try tokenize -m m lines
sed 's/^{/{"Ж": 2001, "ЖЖ": 2002, /' m/vocab.json >more && mv more m/vocab.json
try tokenize -m m lines
