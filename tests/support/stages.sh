# Sourced by tests that hold for every tool that writes tensors: makes small inputs in the current directory, and lists a
# command for each tool in $stages, a line each. Its main input is the word INPUT, to be replaced by a file or by -.

# Whole numbers, so that they are ids too.
tconv 6x8=3,1,4,1,5,3,2,0,5,3,5,2,3,1,3,3,2,3,2,4,0,2,0,4,3,3,2,3,2,1,3,5,0,2,2,2,4,1,3,1,1,0,3,3,3,3,3,1 -o x.h5:/x
tconv linspace=3,1,6 -o y.h5:/y
tconv linspace=-1,1,192 --reshape 24,8 -o weights.h5:/mha/in_proj_weight
tconv linspace=-1,1,24 -o weights.h5:/mha/in_proj_bias -A
tconv linspace=1,-1,64 --reshape 8,8 -o weights.h5:/mha/out_proj/weight -A
tconv linspace=1,-1,8 -o weights.h5:/mha/out_proj/bias -A
tconv linspace=-1,2,48 --reshape 6,8 -o weights.h5:/table/weight -A
tconv linspace=-2,1,64 --reshape 8,8 -o weights.h5:/linear/weight -A
tconv linspace=-1,1,128 --reshape 16,8 -o weights.h5:/ffn/linear1/weight -A
tconv linspace=-1,1,16 -o weights.h5:/ffn/linear1/bias -A
tconv linspace=1,-1,128 --reshape 8,16 -o weights.h5:/ffn/linear2/weight -A
tconv linspace=-1,1,8 -o weights.h5:/ffn/linear2/bias -A

stages="attend -q INPUT -k x.h5 -v x.h5
mha INPUT -w weights.h5:/mha --heads 2
nwreg -x x.h5 -y y.h5 -q INPUT --bandwidth 2
posenc INPUT
linear INPUT -w weights.h5:/linear
addnorm INPUT --residual x.h5
embed INPUT -w weights.h5:/table
ffn INPUT -w weights.h5:/ffn
softmax INPUT
tconv INPUT
transformer-run -m $EXAMPLES/dates --ids INPUT --max-new-tokens 3"

# Runs body COMMAND for each stage, $tool being its name; the words of a complaint get the tool in front.
for_each_stage() {
  printf '%s\n' "$stages" >stages.txt
  while IFS= read -r stage <&8; do
    tool=${stage%% *}
    "$@" 8<&-
  done 8<stages.txt
}

# The command of $stage with its input, ready to be run: stage_on FILE [OPTION...]
stage_on() {
  input=$1
  shift
  # shellcheck disable=SC2046
  set -- $(printf '%s' "$stage" | sed "s|INPUT|$input|") "$@"
  "$@"
}

complain() { echo "$tool: $*"; }
