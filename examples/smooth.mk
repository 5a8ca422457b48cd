# Every recording of a folder through the same tool: IN/NAME.h5, with the datasets time and value, becomes OUT/NAME.h5,
# and all results together OUT/all.csv, a column for each. A second run makes only what has changed:
#   make -f examples/smooth.mk IN=recordings OUT=smoothed -j 2
# With -k, one bad recording does not stop the others. Results appear whole or not at all, so that make finds no half of
# one after an interruption.
IN ?= recordings
OUT ?= smoothed
BANDWIDTH ?= 2
recordings := $(wildcard $(IN)/*.h5)

# make runs several tools at once: each has one thread. -f replaces a result that is older than its recording.
$(OUT)/all.csv: $(recordings:$(IN)/%=$(OUT)/%)
	tconv $^ --stack 1 -t 1 -f -o $@

$(OUT)/%.h5: $(IN)/%.h5 | $(OUT)
	nwreg -x $<:/time -y $<:/value -q linspace=5,50,10 --bandwidth $(BANDWIDTH) -t 1 -f -o $@

$(OUT):
	mkdir -p $@
