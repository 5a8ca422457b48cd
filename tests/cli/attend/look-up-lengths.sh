# A look-up refuses values that are not a row for each key.
look_up() { attend --normalize hard -O csv "$@" && exit 1 || echo $?; }
look_up -q str=c -k str=a,b,c -v str=u,v
look_up -q str=b -k str=b -v 2=1,2
look_up -q str=b -k str=a,b -v 1x2x2=1,2,3,4
look_up -q 3=1,2,3 -k 3=1,2,3 -v str=u,v
look_up -q 3=1,2,3 -k 3=1,2,3 -v str=u,v --nearest
look_up -q 1x3x1=1,2,3 -k 1x3x1=1,2,3 -v str=u,v,w --nearest
