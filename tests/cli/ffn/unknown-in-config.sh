# An activation in config.json that is not known.
mkdir model
cp $FIXTURES/layers/layers.h5 model
echo '{"hidden_act": "prelu"}' >model/config.json
ffn model/layers.h5:/x -w model/layers.h5:/ffn
