# Cosines and sines as others write them turn like --positions: one column a pair or two, (L, w), (1, L, w), (B, 1, L, w),
# (B, L, 1, w).
X=$FIXTURES/layers/layers.h5
mha --stage project "$X:/x" -w "$X:/self_attn" --heads 2 -o q.h5
posenc --kind rotary --length 6 --dim 4 -o table.h5
for name in 0 1; do
  tconv "table.h5:/y[$name]" -o "half.h5:/$name" -A
  tconv --concat 1 "half.h5:/$name" "half.h5:/$name" -o "wide.h5:/$name" -A
  tconv --stack 2 "half.h5:/$name" "half.h5:/$name" | tconv --reshape 6,4 -o "pairs.h5:/$name" -A
done
posenc --kind rotary q.h5:/q -o halves.h5
posenc --kind rotary q.h5:/q --interleaved -o neighbours.h5
turn() {
  posenc --kind rotary q.h5:/q --cos "$1:/0" --sin "$1:/1" ${3:-} | tdiff - "$2" --rtol 1e-6 --atol 1e-6
}
for shape in 6,2 1,6,2 1,1,6,2 1,6,1,2; do
  wide=${shape%2}4
  for table in half wide pairs; do
    s=$wide
    [ $table = half ] && s=$shape
    for name in 0 1; do tconv "$table.h5:/$name" --reshape "$s" -f -o "$table.$name.h5:/$name"; done
    tconv $table.0.h5 -f -o t.h5 && tconv $table.1.h5 -A -o t.h5
    case $table in
      half) turn t.h5 halves.h5 && turn t.h5 neighbours.h5 --interleaved ;;
      wide) turn t.h5 halves.h5 && turn t.h5 halves.h5 "--rotary-width 4" ;;
      pairs) turn t.h5 neighbours.h5 --interleaved ;;
    esac
  done
done
posenc --kind rotary q.h5:/q --cos pairs.h5:/0 --sin pairs.h5:/1 || echo $?
# One batch of rows is as they are, or by position where positions are said.
tconv wide.h5:/0 --reshape 1,6,4 -o rows.h5:/0
tconv wide.h5:/1 --reshape 1,6,4 -A -o rows.h5:/1
posenc --kind rotary q.h5:/q[:,:,:4] --offset 2 -o y.h5
posenc --kind rotary q.h5:/q[:,:,:4] --offset 2 --cos rows.h5:/0 --sin rows.h5:/1 | tdiff - y.h5 --rtol 1e-6 --atol 1e-6
posenc --kind rotary q.h5:/q[:,:,:4] --cos rows.h5:/0 --sin rows.h5:/1 || echo $?
