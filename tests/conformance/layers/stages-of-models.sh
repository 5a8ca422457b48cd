# Every stage tool below every prefix of every layer of every model: what it takes (exit code 0) it computes as the
# model does, with the bits of transformer-run's trace; and each layer has its attentions, its network and its norms.
models=${MODELS:-$TESTDIR/../models}
failed=0
complain() {
  echo "$model: $*"
  failed=1
}
# The tensors of the trace whose names match.
traced() { grep -x "$1" names | sed "s|^|t.h5:/|"; }
# gives COMMAND...: does it give one of $outputs, for one of $inputs? 2: it refuses them.
gives() {
  answer=2
  for input in $inputs; do
    "$@" "$input" -f -o z.h5 >/dev/null 2>&1 || return $answer
    answer=1
    for output in $outputs; do
      [ "$output" = "$input" ] || ! tdiff z.h5:/y "$output" >/dev/null 2>&1 || return 0
    done
  done
  return $answer
}
# expect TOOL PREFIX OPTIONS...: the same with one of the options; complains where the tool gives something else.
expect() {
  tool=$1 prefix=$2 taken=no
  shift 2
  for options in "$@"; do
    # shellcheck disable=SC2086
    if gives "$tool" -w "$file:/$prefix" $options; then return 0; else [ $? -eq 2 ] || taken=yes; fi
  done
  [ $taken = no ] || complain "$tool gives what is in no trace: $prefix"
  return 1
}
# The names in the file of a stage's tensors; some files have another first part in all names, or none.
tensors_of() {
  awk -v stage="$1" '/^[^ ]/ { here = $1 == stage } here && /^  / { print $1 }' list >wanted
  while read -r name; do
    grep -x "\(.*[.]\)*$name" stored || grep -x "\(.*[.]\)*${name#*.}" stored || :
  done <wanted
}
# What TimeSformer's two attentions read: the places of a video over time, and its frames, each with the class token.
rearrange_video() { # STATES
  d=$(tconv --list "$1" | sed -n 's/.*, \([0-9]*\)).*/\1/p')
  tconv "$1[:,1:]" --reshape -1,4,$d -f -o places.h5
  tconv "$1[:,1:]" --reshape 2,-1,4,$d | tconv --axes 0,2,1,3 -f -o patches.h5
  tconv "$1[:,:1]" --reshape 2,1,1,$d -f -o class.h5
  tconv class.h5 class.h5 class.h5 class.h5 --concat 1 -f -o classes.h5
  tconv classes.h5 patches.h5 --concat 2 | tconv --reshape 8,-1,$d -f -o frames.h5
}
check_layer() { # STACK NUMBER
  at=$1/$2 attentions=0 networks=0 norms=0 before=t.h5:/$1/input
  [ "$2" -eq 0 ] || before=t.h5:/$1/$(($2 - 1))/output
  tensors_of $at | awk -F . '{ for (p = $1; ++i < NF; p = p "." $(i + 1)) print p; i = 0 }' | sort -u >prefixes
  attended=$(traced "$at/[a-z]*_attn/output")
  for heads in $(traced "$at/[a-z]*_attn/heads"); do # a module without an output map puts them side by side
    joined=$(echo "${heads#*:/}" | tr / -).h5
    tconv "$heads" --axes 0,2,1,3 --quiet -f -o swapped.h5
    tconv swapped.h5 --reshape "$(tconv --list swapped.h5 | sed -n 's/.*  (\([0-9]*, [0-9]*\), .*/\1,-1/p' | tr -d ' ')" \
      -f -o "$joined"
    attended="$attended $joined"
  done
  sequences="$before $(traced "$at/norm[12]")"
  if [ -n "$(traced "$at/time_attn/output")" ]; then
    rearrange_video t.h5:/$at/norm1
    mv places.h5 places1.h5
    rearrange_video t.h5:/$at/norm2
    sequences="places1.h5 frames.h5"
  fi
  while read -r prefix; do
    if grep -q -x -F "$prefix.weight" stored; then # a map, or a norm
      inputs="$before $(traced "$at/residual[123]") $(traced "$at/[a-z_]*/output")" outputs=$(traced "$at/norm.*")
      case $prefix in *[Nn]orm* | *ln_*) ! expect addnorm "$prefix" --no-residual || norms=$((norms + 1)) ;; esac
      continue
    fi
    inputs=$sequences outputs=$attended
    ! expect mha "$prefix" "" --causal "--memory t.h5:/encoder/output" || attentions=$((attentions + 1))
    inputs="$(traced "$at/norm[123]") $(traced "$at/residual[123]") $before" outputs=$(traced "$at/feed_forward/output")
    ! expect ffn "$prefix" "" || networks=$((networks + 1))
  done <prefixes
  echo "$model $at $attentions $networks $norms" >>counts
  if [ -s wanted ] && { [ $attentions -eq 0 ] || [ $networks -ne 1 ] || [ $norms -eq 0 ]; }; then
    complain "$at is refused"
  fi
}
# Tables and norms before and behind the layers, and logits by a tied table.
check_ends() { # STACK
  for tensor in $(tensors_of "$1/embedding") $(tensors_of "$1/norm"); do
    prefix=${tensor%.*}
    inputs="t.h5:/$1/ids 1x9xi64=0,0,0,0,0,0,0,0,0" outputs=$(traced "$1/\(embedding\|types\)")
    case $tensor in
      *[Nn]orm.weight | *ln_f.weight)
        inputs="$(traced "$1/embedding.*") $(traced "$1/[0-9]*/output")" outputs=$(traced "$1/\(input\|output\|embedding_narrow\)")
        ! expect addnorm "$prefix" --no-residual || tables=$((tables + 1))
        ;;
      *position*.weight | *wpe.weight)
        outputs=$(traced "$1/positions")
        [ -n "$outputs" ] || continue
        tconv linspace=0,0,$((9 * $(tconv --list "$outputs" | sed -n 's/.*, \([0-9]*\)).*/\1/p'))) --dtype f32 | tconv --reshape 1,9,-1 -f -o zeros.h5
        inputs=zeros.h5
        ! expect posenc "$prefix" "--kind learned" || tables=$((tables + 1))
        ;;
      *.weight)
        [ -z "$(traced "$1/pixels")" ] || continue
        ! expect embed "$prefix" "" || tables=$((tables + 1))
        inputs="$(traced head/norm) $(traced "[a-z]*coder/output")" outputs=$(traced logits)
        rows=$(tconv --list "$file:/$tensor" | sed -n 's/.*(\([0-9]*\), .*/\1/p')
        if [ "${prefix%type_embeddings}" = "$prefix" ] && tconv --list t.h5 | grep -q "^logits .*, $rows)" && ! grep -q 'tie_word.*false' "$folder/config.json"; then
          ! expect embed "$prefix" --logits || logits=$((logits + 1))
        fi
        ;;
    esac
  done
}
find "$models" -name config.json | sort | sed 's|/config.json||' >folders
while read -r folder <&3; do
  model=${folder#"$models"/} file=$folder/model.safetensors
  end=$(sed -n 's/.*"eos_token_id": *\([0-9][0-9]*\).*/\1/p' "$folder/config.json" | head -n 1)
  ids=1x9xi64=3,9,7,12,6,3,8,10,${end:-4} # none is padding
  run() { transformer-run -m "$folder" --trace t.h5 -f -o y.h5 "$@" 2>err; }
  run --ids $ids --decoder-ids $ids || run --decoder-ids $ids || run --ids $ids ||
    run --pixels "$folder/cases.h5:/batch/in/pixel_values" --dtype f32 || complain "no run: $(cat err)"
  transformer-run -m "$folder" --list >list
  tconv --list t.h5 | awk '{ print $1 }' >names
  tconv --list "$file" | awk '{ print $1 }' >stored
  tables=0 logits=0
  for stack in $(awk -F / '/^[a-z]*coder.norm/ { print $1 }' list); do
    for layer in $(awk -F '[/ ]' -v stack=$stack '$1 == stack && $2 ~ /^[0-9]/ { print $2 }' list); do
      case $model in # heads/ are the same layers under other heads, but for these
        heads/*distances | heads/*partial* | heads/*window* | heads/*untied | heads/distil* | heads/mt5 | heads/qwen2* | \
          heads/data2vec* | heads/xlnet-forgets) check_layer $stack "$layer" ;;
        heads/*) ;;
        *) check_layer $stack "$layer" ;;
      esac
    done
    check_ends $stack
  done
  echo "$model $tables $logits" >>counts
done 3<folders
exit $failed
