# The files of a folder name no file outside of it. A link in a folder is its owner's, as in the caches of hubs.
sentences=$CONFORMANCE/sentences/mean-dense
mkdir outside && cp -R "$sentences/2_Dense" "$sentences/1_Pooling" outside
cp -R "$sentences" m
transformer-run -m m 'str=the man' --quiet >expected
for path in ../outside/2_Dense 2_Dense/../../outside/2_Dense "$PWD/outside/2_Dense" .. '2_Dense\\u0000'; do
  sed "s|\"2_Dense\"|\"$path\"|" "$sentences/modules.json" >m/modules.json
  transformer-run -m m 'str=the man' || echo $?
done 2>&1 | sed "s|$PWD|HERE|"
for path in ../outside/1_Pooling; do
  sed "s|\"1_Pooling\"|\"$path\"|" "$sentences/modules.json" >m/modules.json
  transformer-run -m m 'str=the man' || echo $?
done
mkdir -p blobs hub/snapshots/1
mv m/* blobs && cp "$sentences/modules.json" blobs
for file in blobs/*; do ln -s "../../../$file" hub/snapshots/1; done
transformer-run -m hub/snapshots/1 'str=the man' --quiet | cmp - expected
