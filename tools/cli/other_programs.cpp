#include "cli/other_programs.hpp"

#include "cli/help.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace cli {
namespace {

/// `advice` begins with what is meant, an option or FILE:/NAME, or it is a sentence. The first entry for a tool that
/// has the name counts.
struct OtherName {
  const char *tools, *names, *advice;
};

constexpr const char* shapes_by_weights = "leave it out: the weights of -w say it";
constexpr const char* no_dropout = "leave it out: nothing is dropped outside of training";
constexpr const char* bias_by_weights = "leave it out: biases are added where -w has them";

constexpr OtherName names_elsewhere[] = {
    // torch.nn.MultiheadAttention, keras.layers.MultiHeadAttention
    {"mha", "zero-attn add-zero-attn", "--zero-attention"},
    {"mha", "no-bias bias-false use-bias qkv-bias", bias_by_weights},
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
    {"mha attend", "block-mask", "--mask, --causal or --window"},
    {"mha attend", "softmax-scale scale-factor", "--scale"},
    {"mha attend", "logits-soft-cap logit-softcap softcapping attn-logit-softcapping", "--softcap"},
    {"mha attend", "window-size sliding-window left-window", "--window LEFT,RIGHT"},
    {"mha attend", "need-grad requires-grad backward", "--vjp"},
    // R: ksmooth, loess, lowess, locfit, np, KernSmooth, mgcv; statsmodels, scikit-learn
    {"nwreg", "bws bw span h width alpha-nn nn smoothing sigma length-scale", "--bandwidth"},
    {"nwreg", "f frac nearest-neighbours k n-neighbors", "--bandwidth knn:P%"},
    {"nwreg", "bwmethod bandwidth-method bw-method", "--bandwidth cv, aicc or rot"},
    {"nwreg", "bwtype", "--bandwidth knn:K for a width that varies"},
    {"nwreg", "kern ckertype ker weights-function", "--kernel"},
    {"nwreg", "ukertype okertype kertype", "--category-kernel"},
    {"nwreg", "deg order polynomial", "--degree"},
    {"nwreg", "regtype reg-type", "--degree 0 (lc) or --degree 1 (ll)"},
    {"nwreg", "drv deriv gradients gradient", "--derivative"},
    {"nwreg", "x-points xout xeval exdat newdata ev at x-new", "--query"},
    {"nwreg", "n-points gridsize n-grid range-x range ngrid", "--query linspace=FIRST,LAST,COUNT"},
    {"nwreg", "txdat exog formula predictors", "--key"},
    {"nwreg", "tydat endog response", "--value"},
    {"nwreg", "weights weight w", "--sample-weights"},
    {"nwreg", "family iter iterations it", "--robust N"},
    {"nwreg", "normalize scale standardise", "--standardize"},
    {"nwreg", "se std-err standard-errors", "--emit se"},
    {"nwreg", "ci interval confidence conf-int conf-level", "--emit band, with --level P"},
    {"nwreg", "residuals", "subtract the fit from y; --summary prints their standard deviation"},
    {"nwreg", "leave-one-out loocv", "--loo"},
    {"nwreg", "truncate binned bin surface approximate", "--tol, the share of the weights that may be dropped"},
    {"nwreg", "factor ordered-factor cat", "--categorical"},
    // ggplot2, matplotlib, seaborn, gnuplot
    {"tplot", "figsize dpi width height fig-size aspect", "--size WIDTHxHEIGHT, in pixels"},
    {"tplot", "xlim xlims xrange x-lim", "--x-range LO:HI"},
    {"tplot", "ylim ylims yrange y-lim", "--y-range LO:HI"},
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

bool has_word(const char* words, const std::string& word) {
  const std::vector<std::string> all = split_list(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

std::string advice_on(const std::string& option, const std::string& tool) {
  std::string bare = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  std::replace(bare.begin(), bare.end(), '_', '-');
  std::replace(bare.begin(), bare.end(), '.', '-');  // range.x, na.action
  for (const OtherName& other : names_elsewhere) {
    if (!has_word(other.tools, tool) || !has_word(other.names, bare)) continue;
    const std::string advice = other.advice;
    const bool is_word = advice.front() == '-' || advice.rfind("FILE", 0) == 0;
    return is_word ? "did you mean " + advice + "?" : advice;
  }
  return {};
}

}  // namespace cli
