# The trained model in examples/ turns dates into ISO 8601: texts of the command line, and lines of standard input.
. "$SUPPORT/try.sh"
ln -s "$EXAMPLES/dates" .
date() { transformer-run -m dates "$@"; }
# Every word of the command line is a text of its own.
try date "3 mars 2021" "Monday, Dec 8, 2092"
try date --dtype f64 "3 mars 2021"
# 100 dates that training never saw come out as they should, in order, in one call.
cut -f 1 dates/heldout.tsv | date >answers
cut -f 3 dates/heldout.tsv | cmp - answers
# However lines are batched and whatever the threads, the answers are the same.
cut -f 1 dates/heldout.tsv | head -n 20 >twenty
head -n 20 answers >expected
for options in "--batch 1" "--batch 7 -t 1" "--batch 100 -t 3"; do
  # shellcheck disable=SC2086
  date $options <twenty | cmp - expected
done

# The text - is the lines of standard input, alone and among others, once.
printf '3 mars 2021\n1/2/2003\n' >lines
try date - <lines
try date "July 4, 1976" - "den 5. mai 1999" <lines
try date --shard 2/2 - <lines
date - --emit ids -o ids.h5 <lines
date --emit ids -o expected.h5 <lines
tdiff ids.h5 expected.h5
try date - </dev/null
try date - - <lines
# Texts that all are names of files are refused, with the redirection that reads their lines. A text among others that
# is the name of a file is still the text, with a note.
echo '1 mei 1999' >dates.txt
echo '2 mei 1999' >'more dates'
try date dates.txt
try date dates.txt "more dates"
try date -O h5 dates.txt
try date <dates.txt
cat dates.txt 'more dates' | try date
date dates.txt "3 mars 2021" 2>note >given
cat note
printf 'dates.txt\n3 mars 2021\n' | date | cmp - given

# Columns of a file are not its texts; the line that the error shows reads them.
printf 'id,when,text\n1,"3 mars, 2021",1 mei 1999\n2,1/2/2003,"2 mei, 1999"\n' >days.csv
try date days.csv:/text
try date "3 mars 2021" days.csv:/when
try date days.csv:/
tconv days.csv:/text -O jsonl | try date --json-lines
tconv days.csv:/when --rename when=text -O jsonl | try date --json-lines
try date missing.csv:/text

# A note says that lines have characters that the tokenizer does not know.
one() { transformer-run -m dates --max-new-tokens 1 "$@" >/dev/null; }
try one "3 mars 2021" "3 ☃ 2021"
printf '3 mars\n3 ☃ 2021\n☃\n' | try one --batch 1
try one --quiet "☃"
try one "☃" -O csv
