#include "cli/unknown_option.hpp"

#include "cli/help.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/shell.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace cli {
namespace {

/// Options, and the names that other programs give to them, for each tool that has the option.
constexpr std::pair<const char*, const char*> other_names[] = {
    {"delim", "sep separator d"},
    {"axis", "dim"},
    {"overwrite", "force"},
    {"output-format", "format to"},
    {"output", "outfile output-dir out-dir outdir save-dir save-to save output-folder"},
    {"threads", "jobs j cpus cores"},
    {"quiet", "silent"},
    {"temperature", "tau"},
    {"bandwidth", "bw span"},
    {"score", "kernel"},
    {"degree", "order"},
    {"missing", "na-values na"},
    {"emit", "band"},
    {"batch",
     "batch-size bs train-batch-size per-device-train-batch-size per-device-eval-batch-size "
     "gradient-accumulation-steps grad-accum accumulate-grad-batches accumulation-steps"},
    {"lr", "learning-rate step-size"},
    {"schedule", "lr-scheduler lr-scheduler-type lr-schedule scheduler"},
    {"warmup", "warmup-steps warmup-iters"},
    {"weight-decay", "wd l2"},
    {"clip-norm",
     "max-grad-norm max-norm grad-clip clip-grad clip-grad-norm clip gradient-clip gradient-clipping "
     "gradient-clip-val"},
    {"data", "train-file train-data train-dataset training-data dataset"},
    {"valid",
     "eval eval-data eval-dataset eval-file evaluate val val-data validate validation validation-data validation-file "
     "dev dev-file"},
    {"patience", "early-stopping early-stop early-stopping-patience"},
    {"train", "freeze trainable unfreeze"},
    {"resume", "continue resume-from resume-from-checkpoint"},
    {"model", "model-name-or-path pretrained"},
    {"target", "labels label y-true"},
    {"kind", "loss criterion"},
    {"class-weights", "weight class-weight"},
    {"ignore", "ignore-index"},
    {"delta", "beta"},
    {"layout", "batch-first sequence-first length-first"},
    {"overlap", "stride doc-stride return-overflowing-tokens"},
    {"aggregate", "aggregation-strategy"},
    {"max-length",
     "max-seq-length max-seq-len max-source-length max-input-length block-size context-length truncation truncate "
     "window window-size"},
    {"max-new-tokens", "length max-tokens max-output-tokens max-target-length n-predict num-predict num-tokens"},
    {"min-new-tokens", "min-length min-tokens"},
    {"beams", "beam-size beam-width"},
    {"ignore-end", "ignore-eos"},
    {"dimensions", "truncate-dim matryoshka-dim"},
    {"no-answer", "handle-impossible-answer version-2-with-negative"},
    {"json-lines", "jsonl jsonlines"},
    {"INPUT", "input infile file in i"}};

/// What a name means to some tools, before the table above. `advice` begins with what is meant, an option or
/// FILE:/NAME, or it is a sentence. The first entry for a tool that has the name counts.
struct OtherName {
  const char *tools, *names, *advice;
};

constexpr const char* shapes_by_weights = "leave it out: the weights of -w say it";
constexpr const char* no_dropout = "leave it out: nothing is dropped outside of training";
constexpr const char* drawn_by_tplot = "tplot --scatter draws it so, with --fit and --band for the results of nwreg";
constexpr const char* bias_by_weights = "leave it out: biases are added where -w has them";

constexpr OtherName names_elsewhere[] = {
    {"transformer-train", "epochs epoch num-epochs n-epochs nb-epochs max-epochs num-train-epochs train-epochs",
     "--after 3e, for 3 epochs"},
    {"transformer-train", "steps n-steps max-steps num-steps num-train-steps train-steps max-iters iterations updates",
     "--after 500u, for 500 updates"},
    {"transformer-run", "overlap doc-stride", "--max-length N, whose windows share N / 2 tokens and at most 128"},
    // torch.nn.MultiheadAttention, keras.layers.MultiHeadAttention
    {"mha", "zero-attn add-zero-attn", "--zero-attention"},
    {"mha", "no-bias bias-false use-bias qkv-bias", bias_by_weights},
    {"linear ffn", "no-bias bias-false use-bias", bias_by_weights},
    {"mha", "bias-k bias-v bias-kv add-bias-kv", "leave it out: bias_k and bias_v are read from -w"},
    {"mha", "embed-dim key-dim value-dim kdim vdim head-dim hidden-size output-shape", shapes_by_weights},
    {"mha", "key-padding-mask padding", "--padding-mask"},
    {"mha", "average-attn-weights average-weights", "--average"},
    {"mha attend", "need-weights return-attention-scores output-attentions return-weights", "--emit weights"},
    // torch.nn.functional.scaled_dot_product_attention, flex_attention, flash_attn
    {"mha attend", "dropout dropout-p attn-dropout attention-dropout", no_dropout},
    {"mha attend transformer-run", "training train eval",
     "leave it out: models only run here; transformer-train trains"},
    {"mha attend", "attn-mask attention-mask", "--mask"},
    {"mha attend", "is-causal use-causal-mask causal-mask", "--causal"},
    {"mha attend", "enable-gqa gqa num-key-value-heads", "--kv-heads"},
    {"attend", "return-lse return-softmax-lse", "--emit lse"},
    {"mha", "return-lse return-softmax-lse", "attend has --emit lse, with the heads of --stage project"},
    {"mha attend", "score-mod", "--bias, --alibi or --softcap"},
    {"mha attend", "attn-bias position-bias", "--bias"},
    {"mha attend", "block-mask", "--mask, --causal or --window"},
    {"mha attend", "softmax-scale scale-factor", "--scale"},
    {"mha attend", "temperature tau", "--scale, which is 1 / T for a temperature T"},
    {"mha attend", "logits-soft-cap logit-softcap softcapping attn-logit-softcapping", "--softcap"},
    {"mha attend", "window-size sliding-window left-window", "--window LEFT,RIGHT"},
    {"mha attend", "need-grad requires-grad backward", "--vjp"},
    // R: ksmooth, loess, lowess, locfit, np, KernSmooth, mgcv; statsmodels, scikit-learn
    {"nwreg", "bws bw h smoothing sigma length-scale", "--bandwidth"},
    {"nwreg", "span f frac nn", "--bandwidth knn:P%"},
    {"nwreg", "nearest-neighbours k n-neighbors", "--bandwidth knn:K"},
    {"nwreg", "cv", "--bandwidth cv"},
    {"nwreg", "bwmethod bandwidth-method bw-method", "--bandwidth cv, aicc or rot"},
    {"nwreg", "bwtype", "--bandwidth knn:K for a width that varies"},
    {"nwreg", "kern ckertype", "--kernel"},
    {"nwreg", "ukertype okertype", "--category-kernel"},
    {"nwreg", "deg order polynomial", "--degree"},
    {"nwreg", "regtype reg-type", "--degree 0 (lc) or --degree 1 (ll)"},
    {"nwreg", "drv deriv gradients gradient", "--derivative"},
    {"nwreg", "x-points xout xeval exdat newdata ev at x-new", "--query"},
    {"nwreg", "n-points gridsize n-grid range-x range ngrid", "--query linspace=FIRST,LAST,COUNT"},
    {"nwreg", "txdat exog formula predictors", "--key"},
    {"nwreg", "tydat endog response", "--value"},
    {"nwreg", "weights weight w wt", "--sample-weights"},
    {"nwreg", "iter iterations it", "--robust N"},
    {"nwreg", "normalize scale standardise", "--standardize"},
    {"nwreg", "se std-err standard-errors", "--emit se"},
    {"nwreg", "ci interval confidence conf-int conf-level", "--emit band, with --level P"},
    {"nwreg", "residuals", "subtract the fit from y; --summary prints their standard deviation"},
    {"nwreg", "leave-one-out loocv", "--loo"},
    {"nwreg", "surface interpolate delta", "leave it out: the fit is computed at each query"},
    {"nwreg", "periodic", "--period NAME=P, with the length of the period"},
    {"nwreg", "factor ordered-factor cat var-type", "--categorical"},
    {"nwreg", "alpha", "--level P, where P is 1 - alpha"},
    {"nwreg", "na-rm na-action", "--missing omit"},
    {"nwreg", "size figsize fig-size dpi width height", "--plot-size WIDTHxHEIGHT, in pixels"},
    {"nwreg", "legend title main xlabel x-label xlab ylabel y-label ylab font-size palette xlim ylim", drawn_by_tplot},
    // ggplot2, matplotlib, seaborn, gnuplot
    {"tplot", "figsize dpi width height fig-size aspect", "--size WIDTHxHEIGHT, in pixels"},
    {"tplot", "xlim xlims xrange x-lim", "--x-range LO:HI"},
    {"tplot", "ylim ylims yrange y-lim", "--y-range LO:HI"},
    {"tplot", "colormap color-map", "--palette"},
    {"tplot", "vmin vmax clim zlim limits", "--color-range LO:HI"},
    {"tplot", "logx log-x xscale", "--log x"},
    {"tplot", "logy log-y yscale", "--log y"},
    {"tplot", "loglog", "--log xy"},
    {"tplot", "hist geom-histogram", "--histogram"},
    {"tplot", "line lines plot geom-line lineplot", "--curves"},
    {"tplot", "points geom-point scatterplot dots marker", "--scatter"},
    {"tplot", "heat imshow matshow pcolormesh image geom-tile", "--heatmap"},
    {"tplot", "errorbar ribbon fill-between geom-ribbon ci", "--band"},
    {"tplot", "smooth geom-smooth lm regression", "--fit with the result of nwreg"},
    {"tplot", "xticklabels columns", "--column-labels"},
    {"tplot", "yticklabels rows", "--row-labels"},
    {"tplot", "main labs ggtitle suptitle", "--title"},
    {"tplot", "save savefig ggsave outfile file", "--output"},
    {"tplot", "opacity", "--alpha"},
    {"tplot", "nbins binwidth breaks", "--bins"},
    // transformers.TrainingArguments
    {"transformer-train", "fp16 bf16 mixed-precision amp half", "leave it out: training is in f32"},
    {"transformer-train", "num-labels n-labels id2label", "leave it out: --data says which labels there are"},
    // h5dump, h5ls, ncks, ncdump, jq, csvkit
    {"tconv", "header-only only-header onlyattr attributes attribute H a A info ls show contents", "--list"},
    {"tconv", "dataset variable var v d group g path", "FILE:/NAME, as in tconv run.h5:/enc/q"},
    {"tconv", "start count stride hyperslab dimension range index", "FILE:/NAME[0:10], or --slab"},
    {"tconv", "exclude x", "--select, with a pattern for the others"},
    {"tconv", "dump print cat", "-O csv"},
    {"tconv", "raw-output r tab-output", "-O csv --no-header"},
    {"tconv", "c compact compact-output", "--json"},
    {"tconv", "permute transposition perm", "--axes"},
    {"tconv", "stat stats-only describe summary min max", "--list --values"},
    {"tconv", "astype type", "--dtype"},
    {"tconv", "deflate L gzip z", "--compress gzip=LEVEL"},
};

/// The option of what a tool reads beside its input.
constexpr std::pair<const char*, const char*> second_inputs[] = {{"--target", "loss"},
                                                                 {"--weights", "linear embed ffn mha addnorm"}};

bool has_word(const char* words, const std::string& word) {
  const std::vector<std::string> all = split_list(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// The known long option that `bare` probably means, or INPUT if the tool has one; empty if none is close.
std::string closest_option(const std::string& bare, const std::vector<OptionEntry>& known) {
  std::vector<std::string> names;
  for (const OptionEntry& entry : known)
    for (const std::string& name : split_list(entry.names)) {
      if (name == "-" + bare) return display_name(entry.names);  // its letter
      if (attn::starts_with(name, "--")) names.push_back(name.substr(2));
    }
  if (bare.empty()) return {};
  const auto is_known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_known(bare)) return "--" + bare;
  for (const auto& [ours, others] : other_names) {
    if (!has_word(others, bare)) continue;
    if (is_known(ours)) return std::string("--") + ours;
    const auto is_input = [&names = ours](const OptionEntry& entry) { return entry.names == names; };
    if (std::any_of(known.begin(), known.end(), is_input)) return std::string(ours) + " without an option";
  }
  for (const std::string& name : names)
    if (attn::starts_with(name, bare)) return "--" + name;  // an abbreviation
  std::string longest;                                      // in a longer name: --num-heads, --delimiter
  for (const std::string& name : names) {
    const bool is_part = ("-" + bare + "-").find("-" + name + "-") != std::string::npos;
    const bool begins = name.size() > 3 && attn::starts_with(bare, name);
    if ((is_part || begins) && name.size() > longest.size()) longest = name;
  }
  const std::string nearest = longest.empty() ? attn::nearest_word(bare, names) : longest;
  return nearest.empty() ? nearest : "--" + nearest;
}

}  // namespace

std::string advice_on(const std::string& option, const HelpText& help) {
  std::string bare = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  for (char& c : bare)
    if (c == '_' || c == '.') c = '-';  // na.action
  const auto is_meant = [](const std::string& advice) { return advice.front() == '-' || advice.rfind("FILE", 0) == 0; };
  for (const OtherName& other : names_elsewhere)
    if (has_word(other.tools, help.tool) && has_word(other.names, bare))
      return is_meant(other.advice) ? "did you mean " + std::string(other.advice) + "?" : other.advice;
  const std::string meant = closest_option(bare, help.options);
  return meant.empty() ? "see " + help.tool + " --help" : "did you mean " + meant + "?";
}

std::string advice_on_operands(const std::vector<std::string>& operands, const std::string& tool) {
  if (tool == "tokenize")
    return "cat " + attn::listed(operands, " ", attn::shell_quoted) + " | tokenize reads the lines of all";
  const std::string last = attn::shell_quoted(operands.back());
  if (tool == "attend") return "name keys and values, as in --key " + last + " --value " + last;
  for (const auto& [option, tools] : second_inputs)
    if (has_word(tools, tool)) return std::string("did you mean ") + option + " " + last + "?";
  return "see " + tool + " --help";
}

}  // namespace cli
