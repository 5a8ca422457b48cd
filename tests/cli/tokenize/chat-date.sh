# The date of a chat template that calls strftime_now is the local one.
mkdir m
cp "$FIXTURES/words/tokenizer.json" m
echo '{{ strftime_now("%Y-%m-%d") }}' >m/chat_template.jinja
for TZ in UTC-14 UTC+12; do
  export TZ
  before=$(date +%F) said=$(echo '[{}]' | tokenize -m m --chat --json --max-length 0 | sed 's/.*"text":"\(.*\)"}$/\1/') after=$(date +%F)
  case $said in "$before"* | "$after"*) ;; *) echo "$said" ;; esac
done
