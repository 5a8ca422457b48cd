#!/bin/sh
# What the literature calls learnable, learned by back-propagation in a shell loop: forward, loss, --vjp, optimize.
# examples/learn-attention.sh [FOLDER [STEPS]] learns three things on the data beside it, each against the truth that a
# sample's own value is not among those that it attends to, and draws the losses as FOLDER/learned.png:
#   bandwidth  the width of the kernel of a regression, of acceleration over time; --bandwidth cv finds the same
#   bilinear   M of the score q M k: which irises have the species of an iris
#   additive   W_q, W_k and w_v of the score w_v . tanh(W_q q + W_k k), for the same question
set -eu
here=$(dirname "$0")
out=${1-learned} steps=${2-60}
mkdir -p "$out"

# forward [OPTION]... runs the stage that learns, for the parameters in $out/$what.h5.
learn() {
  what=$1 target=$2 rate=$3
  rm -f "$out/$what-state.h5" "$out/$what-loss.csv"
  for _ in $(seq "$steps"); do
    forward | loss --kind mse --target "$target" --emit dy -f -o "$out/loss.h5"
    tconv "$out/loss.h5:/y" -O csv --no-header >>"$out/$what-loss.csv"
    # Gradients are called dm, dwq ...; optimize takes each by the name of its parameter.
    forward --vjp "$out/loss.h5:/dy" | tconv --rename "$renamed" | optimize -w "$out/$what.h5" -g -:/d \
      --state "$out/$what-state.h5" --lr "$rate" -f -o "$out/$what.h5"
  done
  echo "$what: loss $(head -n 1 "$out/$what-loss.csv" | cut -c 1-6) at the start, $(tail -n 1 "$out/$what-loss.csv" | cut -c 1-6) at the end"
}

times=$here/mcycle.csv:/times accel=$here/mcycle.csv:/accel
tconv 1xf64=5 -f -o "$out/bandwidth.h5:/bandwidth"
renamed=dbandwidth=d/bandwidth
forward() { nwreg -x "$times" -y "$accel" --loo --bandwidth "$out/bandwidth.h5:/bandwidth" "$@"; }
learn bandwidth "$accel" 0.3
echo "bandwidth: $(tconv "$out/bandwidth.h5:/bandwidth" -O csv --no-header --precision 3), by cross-validation" \
  "$(nwreg -x "$times" -y "$accel" --bandwidth cv --quiet -O h5 | tconv --list | sed -n 's/.*@bandwidth = //p' | cut -c 1-5)"

# Four measures of each iris, centred; its species as one of three; and a mask of all irises but itself.
tail -n +2 "$here/iris.csv" | awk -F , -v out="$out" '{
  printf "%g,%g,%g,%g\n", $1 - 5.84, $2 - 3.06, $3 - 3.76, $4 - 1.2 > (out "/measures.csv")
  printf "%d,%d,%d\n", $5 == "setosa", $5 == "versicolor", $5 == "virginica" > (out "/species.csv")
}'
awk 'BEGIN { for (i = 0; i < 150; i++) for (j = 0; j < 150; j++) printf "%d%s", i != j, j < 149 ? "," : "\n" }' >"$out/others.csv"
irises() {
  attend -q "$out/measures.csv" -k "$out/measures.csv" -v "$out/species.csv" --mask "$out/others.csv" --mask-type boolean \
    --no-header "$@"
}

tconv 4x4xf64=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 -f -o "$out/bilinear.h5:/m"
renamed=dm=d/m
forward() { irises --score bilinear --m "$out/bilinear.h5:/m" "$@"; }
learn bilinear "$out/species.csv" 0.1

tconv 3x4xf64=0.1,-0.2,0.3,0.1,-0.1,0.2,0.1,-0.3,0.2,0.1,-0.2,0.3 -f -o "$out/additive.h5:/wq"
tconv 3x4xf64=-0.2,0.1,0.1,0.3,0.3,-0.1,0.2,0.1,0.1,0.2,-0.3,0.1 -A -o "$out/additive.h5:/wk"
tconv 3xf64=0.5,-0.5,0.5 -A -o "$out/additive.h5:/wv"
renamed=dwq=d/wq,dwk=d/wk,dwv=d/wv
forward() {
  irises --score additive --wq "$out/additive.h5:/wq" --wk "$out/additive.h5:/wk" --wv "$out/additive.h5:/wv" "$@"
}
learn additive "$out/species.csv" 0.1

tplot --curves --no-header "$out/bilinear-loss.csv" "$out/additive-loss.csv" --xlabel step --ylabel loss -f -o "$out/learned.png"
