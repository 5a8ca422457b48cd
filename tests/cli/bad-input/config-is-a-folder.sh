# A folder where a model's file should be is called one.
mkdir -p model/config.json
cp $FIXTURES/layers/layers.h5 model
mha model/layers.h5:/x -w model/layers.h5:/self_attn --heads 4 || echo "exit $?"
