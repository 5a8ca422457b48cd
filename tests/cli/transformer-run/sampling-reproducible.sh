# What a seed draws is the same on every machine: these texts were drawn once and stay.
transformer-run -m "$EXAMPLES/dates" --dtype f64 --sample --temperature 2 --seed 42 "3 mars 2021" "27 juli 2039"
