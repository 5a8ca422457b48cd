# What XLNet does not have, or what does not fit it, gets one line.
models=$CONFORMANCE/models
cp -R "$models/xlnet" "$models/bert" .
transformer-run -m bert --ids 1x2xi64=1,2 --perm-mask 1x2x2=0,0,0,0 2>&1 || echo $?
transformer-run -m bert --ids 1x2xi64=1,2 --emit mems -o y.h5 2>&1 || echo $?
transformer-run -m xlnet --ids 1x2xi64=7,8 --perm-mask 1x2=0,0 2>&1 || echo $?
transformer-run -m xlnet --ids 1x2xi64=7,8 --target-mapping 1x1x3=0,0,1 2>&1 || echo $?
transformer-run -m xlnet --ids 1x2xi64=7,8 --target-mapping 1x1x2=0,1 --to encoder/0 2>&1 || echo $?
transformer-run -m xlnet --ids 1x2xi64=7,8 --emit mems -o one.h5
tconv one.h5:/mems/0 -o none.h5:/mems/0
transformer-run -m xlnet --ids 1x2xi64=7,8 --mems none.h5 2>&1 || echo $?
transformer-run -m xlnet --ids 2x2xi64=7,8,9,10 --mems one.h5 2>&1 || echo $?
transformer-run -m xlnet --ids 1x2xi64=7,8 --mems one.h5:/other 2>&1 || echo $?
for change in 's/"bi_data": false/"bi_data": true/' 's/"attn_type": "bi"/"attn_type": "both"/' 's/XLNetLMHeadModel/XLNetForNothing/' \
  's/"d_head": 8/"d_head": 16/' 's/"n_head": 4/"n_head": 3/'; do
  sed "$change" "$models/xlnet/config.json" >xlnet/config.json
  transformer-run -m xlnet --list 2>&1 || echo $?
done
