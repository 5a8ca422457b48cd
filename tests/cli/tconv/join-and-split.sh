# --stack, --concat and --split undo each other; --parts and --rename.
tconv 2x3=1,2,3,4,5,6 -o a.h5:/a
tconv 2x3=7,8,9,10,11,12 -o b.h5:/b
tconv a.h5 b.h5 --stack 0 -o s.h5
tdiff s.h5:/a[0] a.h5
tdiff s.h5:/a[1] b.h5
tconv a.h5 b.h5 --stack -1 | tdiff -:/a[1,2] 2=6,12
tconv a.h5 b.h5 --concat 0 | tdiff - 4x3=1,2,3,4,5,6,7,8,9,10,11,12
tconv a.h5 b.h5 --concat 1 | tdiff - 2x6=1,2,3,7,8,9,4,5,6,10,11,12
tconv s.h5 --split 0 -o parts.h5
tdiff parts.h5:/a/0 a.h5
tdiff parts.h5:/a/1 b.h5
tconv parts.h5 --stack 0 | tdiff - s.h5
tconv a.h5 b.h5 --concat 1 | tconv --split 1 --parts 3 | tdiff -:/a/1 2x2=3,7,6,10
tconv a.h5 b.h5 -o both.h5
tdiff both.h5:/b b.h5
tconv both.h5 --rename a=x,b=deep/y -o renamed.h5
tdiff renamed.h5:/x a.h5
tdiff renamed.h5:/deep/y b.h5
tconv both.h5 --rename a=b,b=a -o swapped.h5
tdiff swapped.h5:/a b.h5
tdiff swapped.h5:/b a.h5
tconv both.h5 --select b | tdiff - b.h5
for mistake in '--split 0 --parts 7' '--rename q=z' '--rename q' '--rename a=' '--rename a=x,a=y' '--stack 0 --concat 0' '--select none*' '-o c.h5:/name'; do
  code=0
  tconv both.h5 $mistake 2>/dev/null >out || code=$?
  echo "$mistake: $code"
done
