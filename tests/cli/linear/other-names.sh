# A layer of Keras or Flax, whose tensors have other names: the line names them, and the command that it gives helps.
. "$SUPPORT/try.sh"
tconv 2x3=1,2,3,4,5,6 -o x.h5:/x
put() { # FILE NAME LITERAL
  tconv "$3" -o "$1:/$2" -A 2>gone || tconv "$3" -o "$1:/$2"
}
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do put model.h5 "layers/dense_$i/kernel" 3x2=$i; done
put model.h5 layers/dense_7/bias 2=1,2
put model.h5 layers/norm_7/gamma 3=1,2,3
put model.h5 layers/norm_7/beta 3=4,5,6
put model.h5 flax/LayerNorm_0/scale 3=1,2,3
put model.h5 flax/embed/embedding 4x3=1,2,3,4,5,6,7,8,9,10,11,12
put model.h5 ffn/wi/kernel 3x4=1
put model.h5 ffn/wo/kernel 4x3=1
put model.h5 self/query/kernel 3x3=1,0,0,0,1,0,0,0,1
put model.h5 self/key/kernel 3x3=1,0,0,0,1,0,0,0,1
put model.h5 self/value/kernel 3x3=1,0,0,0,1,0,0,0,1
put keras2.h5 dense/dense/kernel:0 3x2=1,2,3,4,5,6
put keras2.h5 dense/dense/bias:0 2=1,2
put keras3.h5 layers/dense/vars/0 3x2=1,2,3,4,5,6
put keras3.h5 layers/dense/vars/1 2=1,2
put root.h5 kernel 3x2=1,2,3,4,5,6
put root.h5 bias 2=1,2
tconv model.h5:/layers -o model.safetensors
# helps COMMAND...: what is said, and the result after the command that is said.
helps() {
  try "$@" -O csv
  "$@" -O csv 2>&1 | sed -n 's/.*as in \(tconv [^;]*\) -o NEW.h5.*/\1 -f -o new.h5/p' >way
  sh ./way
  for word; do
    shift
    case $word in model.* | keras* | root*) word=new.h5${word#*.h5} ;; esac
    set -- "$@" "$word"
  done
  "$@" -O csv
}
helps linear x.h5 -w model.h5:/layers/dense_7 --transposed
helps addnorm --no-residual x.h5 -w model.h5:/layers/norm_7
helps addnorm --no-residual x.h5 -w model.h5:/flax/LayerNorm_0
helps embed 2xi64=1,2 -w model.h5:/flax/embed
helps ffn x.h5 -w model.h5:/ffn --transposed
helps mha x.h5 -w model.h5:/self --heads 1 --transposed
helps linear x.h5 -w keras2.h5:/dense --transposed
helps linear x.h5 -w keras2.h5:/dense/dense --transposed
helps linear x.h5 -w keras3.h5:/layers/dense --transposed
helps linear x.h5 -w root.h5 --transposed
try linear x.h5 -w model.safetensors:/layers/dense_7
try linear x.h5 -w model.h5:/layers
try linear x.h5 -w model.h5:/layers/dense_70
