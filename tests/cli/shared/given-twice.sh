# An option given twice: a set collects, and of a vector or anything else the last value counts. Walks through the options
# of all tools as --help-all shows them: every set, and every other option whose value has commas, has a law below.
. "$SUPPORT/stages.sh"
dates=$EXAMPLES/dates
tconv 2=1,2 -o two.h5:/a
tconv 2=3,4 -A -o two.h5:/b
printf 'u,v,y\n1,1,2\n2,1,3\n1,2,2\n2,2,5\n3,1,4\n' >samples.csv
tconv 6x8=1 -o dy.h5:/dy
for name in 1 2; do tconv 8=$name -o more$name.h5:/d/linear/bias; done
samples='nwreg -x samples.csv:/u,v -y samples.csv:/y --bandwidth 0.5,0.5'

has() { for name; do tconv --list out.h5 | grep -q "^$name " || return 1; done; }
lacks() { ! has "$1"; }
same() { "$@" -f -o twice.h5 --no-history && tdiff twice.h5 once.h5; }
once() { "$@" -f -o once.h5 --no-history; }

set_keep() { tconv two.h5:/a --rename a=y --keep a --keep b -f -o out.h5 && has a b; }
set_select() { tconv two.h5 --select a --select b -f -o out.h5 && has a b; }
set_exclude() { tdiff two.h5 x.h5 --exclude '[ab]' --exclude x 2>&1 | grep -q 'leaves no'; }
set_rename() { tconv two.h5 --rename a=c --rename b=d -f -o out.h5 && has c d && lacks a; }
set_emit() { # of two names; tools that know one have no more to show
  case $1 in
    attend) attend -q x.h5 -k x.h5 -v x.h5 --emit lse --emit weights -f -o out.h5 && has lse weights ;;
    nwreg) $samples --emit se --emit neff -f -o out.h5 && has se neff ;;
    transformer-run) transformer-run -m "$dates" --emit encoder --emit scores -f -o out.h5 "3 May" && has encoder scores ;;
  esac
}
set_slab() {
  case $1 in
    attend) attend -q x.h5 -k x.h5 -v x.h5 --slab query=0:1 --slab key=0:3 --slab value=0:3 -f -o out.h5 &&
      tconv --list out.h5 | grep -q '^y *(1, 8)' ;;
    tdiff) tdiff x.h5 x.h5 --slab a=0:2 --slab b=0:2 && ! tdiff x.h5 x.h5 --slab a=0:2 >gone ;;
  esac
}
set_add_gradients() {
  case $1 in
    linear)
      linear x.h5 -w weights.h5:/linear --vjp dy.h5 --add-gradients more1.h5:/d --add-gradients more2.h5:/d -f -o out.h5 &&
        tdiff out.h5:/d/linear/bias 8=3
      ;;
  esac
}
set_categorical() { once $samples --categorical u,v && same $samples --categorical u --categorical v; }
set_ordered() { $samples --ordered u=1,2,3 --ordered v=1,2 -f -o out.h5 && ! tdiff out.h5 once.h5 >gone; }
set_period() {
  $samples --period u=2.5 --period v=1.5 -f -o out.h5
  for one in u=2.5 v=1.5; do once $samples --period $one && ! tdiff out.h5 once.h5 >gone || return; done
}
last_quantile() { once $samples --quantile 0.2,0.4 && same $samples --quantile 0.3,0.9 --quantile 0.2,0.4; }
set_stop() { [ "$(transformer-run -m "$dates" --stop 0 --stop 2 '3 May 2021')" = "" ]; }
set_emit_layers() {
  transformer-run -m "$dates" --emit encoder_attentions --emit-layers 0 --emit-layers 1 -f -o out.h5 "3 May" &&
    has encoder_attentions/0 encoder_attentions/1 && lacks encoder_attentions/2
}
set_emit_heads() {
  transformer-run -m "$dates" --emit encoder_attentions --emit-heads 0 --emit-heads 3 -f -o out.h5 "3 May" &&
    tconv --list out.h5 | grep -q '^encoder_attentions/0 *(1, 2,'
}
set_trace_filter() {
  transformer-run -m "$dates" --trace-filter '*/0/self_attn/q' --trace-filter '*/1/self_attn/k' --trace out.h5 -f "3 May" \
    >gone && has encoder/0/self_attn/q encoder/1/self_attn/k && lacks encoder/0/self_attn/k
}
set_train() {
  printf '3 May 2021\t2021-05-03\n' >lines
  transformer-train -m "$dates" --data lines --train '*.layers.0.norm1.weight' --train '*.layers.0.norm2.weight' \
    --emit gradients --quiet -o gradients.h5 && tmerge gradients.h5 -f -o out.h5 && has '.*norm1.weight' '.*norm2.weight'
}
set_fit() {
  tplot --scatter x.h5:/x[:,0] --fit 6=1,2,3,4,5,6 --fit 6=6,5,4,3,2,1 -f -o both.svg
  tplot --scatter x.h5:/x[:,0] --fit 6=6,5,4,3,2,1 -f -o last.svg
  [ "$(grep -c '>fit' both.svg)" -eq 2 ] && [ "$(grep -c '>fit' last.svg)" -eq 1 ]
}
set_band() {
  tplot --scatter x.h5:/x[:,0] --band 6x2=1 --band 6x2=2,3,2,3,2,3,2,3,2,3,2,3 -f -o both.svg
  [ "$(grep -c '>band' both.svg)" -eq 2 ]
}
last_axes() { once tconv x.h5 --axes 1,0 && same tconv x.h5 --axes 0,1 --axes 1,0; }
last_reshape() { once tconv x.h5 --reshape 48 && same tconv x.h5 --reshape 4,12 --reshape 48; }
last_chunks() { once tconv x.h5 --chunks 2,2 && same tconv x.h5 --chunks 6,6 --chunks 2,2 && cmp once.h5 twice.h5; }
last_dims() { once tconv x.h5 --dims p,q && same tconv x.h5 --dims r,s --dims p,q && cmp once.h5 twice.h5; }
last_window() {
  once attend -q x.h5 -k x.h5 -v x.h5 --window 1,1 && same attend -q x.h5 -k x.h5 -v x.h5 --window 0,0 --window 1,1
}
last_betas() {
  for betas in '' '--betas 0.1,0.1'; do
    # shellcheck disable=SC2086
    optimize -w weights.h5 -g weights.h5 --state "s$betas.h5" $betas --betas 0.5,0.5 -f -o "w$betas.h5"
  done
  tdiff w.h5 'w--betas 0.1,0.1.h5'
}

# The laws of a tool: of each option that may be repeated, and of the others whose value has a comma.
laws_of() {
  COLUMNS=1000 "$1" --help-all | awk '
    function end() {
      if (name != "" && text ~ /; may be repeated/) print "set_" name
      else if (name != "" && text ~ /^[A-Z0-9]+,[A-Z0-9.]+/) print "last_" name
      name = ""
    }
    /^  (    |-[a-zA-Z], )--[a-z]/ {
      end(); name = text = $0
      sub(/^[^-]*(-[a-zA-Z], )?--/, "", name); sub(/[ ,].*/, "", name); gsub(/-/, "_", name)
      sub(/^ *(-[a-zA-Z], )?--[a-z0-9-]*(, --[a-z-]*)* /, "", text); next
    }
    { text = text " " $0 }
    END { end() }'
}
for tool in addnorm attend embed ffn linear loss mha nwreg optimize posenc softmax tconv tdiff tmerge tokenize tplot \
  transformer-run transformer-train; do
  for law in $(laws_of $tool); do
    type "$law" >gone 2>&1 || { echo "$tool: no law $law"; continue; }
    echo "$law" >>laws
    $law $tool 2>errors || echo "$tool: $law: $(cat errors)"
  done
done
sort -u laws
