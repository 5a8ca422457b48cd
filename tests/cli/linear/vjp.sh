# The gradients by x, W and b; a cotangent in a pipe; --keep takes gradients of other stages along.
linear 1x2=1,2 -w 3x2=1,0,0,1,1,1 -b 3=0,0,10 --vjp 1x3=1,10,100 | tconv --list
linear 1x2=1,2 -w 3x2=1,0,0,1,1,1 -b 3=0,0,10 --vjp 1x3=1,10,100 -o d.h5
for name in dx d/weight dbias; do tconv d.h5:/$name -O csv --no-header; done
linear 1x2=1,2 -w 2x2=1,2,3,4 --vjp 1x2=1,1 -o first.h5
linear 1x2=1,2 -w 2x2=0,1,1,0 --vjp first.h5:/dx | tconv - --select dx -O csv --no-header
# Names are those of the file of the weights.
tconv 3x2=1,0,0,1,1,1 -o w.h5:/layer/0/weight
tconv 3=1,2,3 -A -o w.h5:/layer/0/bias
linear 1x2=1,2 -w w.h5:/layer.0 --vjp 1x3=1,10,100 | linear 1x2=1,2 -w 2x2=0,1,1,0 --vjp -:/dx --keep 'd/*' |
  tconv --list --select 'd*'
# The bits are the same for any number of threads, and zero rows give zero gradients.
tconv linspace=-1,1,6000 --reshape 200,30 -o x.h5
tconv linspace=-1,1,2100 --reshape 70,30 -o w2.h5:/w
tconv linspace=3,-3,14000 --reshape 200,70 -o dy.h5:/dy
linear x.h5 -w w2.h5:/w --activation gelu --vjp dy.h5 --threads 1 -o one.h5
linear x.h5 -w w2.h5:/w --activation gelu --vjp dy.h5 --threads 2 | tdiff - one.h5
linear 0x2= -w 3x2=1,0,0,1,1,1 --vjp 0x3= | tconv --select d/weight -O csv --no-header
