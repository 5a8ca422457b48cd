# Folders of sentence-transformers as they are: the vectors that it computes in f64, for each of their prompts.
for folder in "$TESTDIR"/*/; do
  for prompt in $(sed 's/.*"prompt_name": "*\([a-z]*\).*/\1/' "$folder/sentences.jsonl" | sort -u); do
    grep "\"prompt_name\": \"*$prompt" "$folder/sentences.jsonl" | sed 's/.*"embedding": \[//; s/\].*//; s/, /,/g' >expected.csv
    set -- -m "$folder" --quiet
    if [ "$prompt" != null ]; then set -- "$@" --prompt "$prompt"; fi
    for bound in f64=1e-12 f32=1e-5; do
      transformer-run "$@" --dtype ${bound%=*} <"$TESTDIR/texts" | tr '\t' , >lines.csv
      transformer-run "$@" --dtype ${bound%=*} -f -o tensors.h5 <"$TESTDIR/texts"
      for result in lines.csv tensors.h5; do tdiff $result expected.csv --rtol 0 --atol ${bound#*=}; done
    done
  done
done
