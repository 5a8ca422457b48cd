# Pixels that do not fit the model, and options for another kind of model, get one line.
models=$CONFORMANCE/models
cp -R "$models/vit-classify" "$models/timesformer-space-only" "$models/bert" .
transformer-run -m "vit-classify" --pixels "vit-classify/cases.h5:/batch/in/pixel_values[:,:,:16]" 2>&1 || echo $?
transformer-run -m "timesformer-space-only" --pixels "vit-classify/cases.h5:/batch/in/pixel_values" 2>&1 || echo $?
transformer-run -m "bert" --pixels "vit-classify/cases.h5:/batch/in/pixel_values" 2>&1 || echo $?
transformer-run -m "vit-classify" --ids 1x2xi64=1,2 2>&1 || echo $?
cp -R "vit-classify" m
for change in 's/"image_size": 24/"image_size": [24]/' 's/"image_size": 24/"image_size": 32/' 's/"patch_size": 8/"patch_size": 25/' \
  's/ViTForImageClassification/ViTForMaskedImageModeling/' 's/"hidden_act": "gelu"/"hidden_act": "prelu"/'; do
  sed "$change" "vit-classify/config.json" >m/config.json
  transformer-run -m m --list 2>&1 | head -n 2 || echo $?
done
cp -R "timesformer-space-only" n
sed 's/space_only/time_only/' "timesformer-space-only/config.json" >n/config.json
transformer-run -m n --list 2>&1 || echo $?
sed 's/space_only/joint_space_time/' "timesformer-space-only/config.json" >n/config.json
transformer-run -m n --list 2>&1 || echo $?
