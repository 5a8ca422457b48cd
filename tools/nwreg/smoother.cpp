#include "nwreg/smoother.hpp"

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>

namespace nwreg {

using attn::Error;
using attn::ErrorKind;
using attn::Method;
using attn::ScaleConvention;

cli::Choices<attn::Kernel> kernel_choices() {
  cli::Choices<attn::Kernel> choices;
  for (const attn::Kernel kernel : attn::all_kernels()) {
    const std::string name(attn::name_of(kernel));
    choices.emplace_back(kernel == attn::Kernel::cosine ? name + "|cosine" : name, kernel);
  }
  return choices;
}

cli::Choices<attn::Loss> loss_choices() {
  return {{"squared", attn::Loss::squared}, {"log", attn::Loss::log}, {"brier", attn::Loss::brier}};
}

void add_smoother_options(cli::Command& command, SmootherOptions& o) {
  attn::Smoother& s = o.smoother;
  command.group("Kernel and bandwidth");
  command.option("--kernel", s.kernel, kernel_choices(),
                 "kernel, the weight of a sample by its distance over the bandwidth");
  command.option("--scale-convention", s.scale_convention,
                 cli::Choices<ScaleConvention>{{"halfwidth", ScaleConvention::halfwidth},
                                               {"sd", ScaleConvention::sd},
                                               {"sqrt5", ScaleConvention::sqrt5},
                                               {"ksmooth", ScaleConvention::ksmooth}},
                 "meaning of the bandwidth");
  command.option("--category-kernel", s.category_kernel,
                 cli::Choices<attn::CategoryKernel>{{"li-racine", attn::CategoryKernel::li_racine},
                                                    {"aitchison-aitken", attn::CategoryKernel::aitchison_aitken}},
                 "factor of samples of other categories");
  command.option(
      "--bandwidth", "cv",
      "H: bandwidth: a number, H1,H2,... (lambda for categories), knn:K, knn:P%, an operand, or a rule that chooses it",
      [&o](const std::string& word) { o.bandwidth = word; });
  command.values({"rot", "cv", "aicc", "knn:cv"});
  command.flag("--isotropic", o.isotropic, "choose one width for all columns of x, with cv and aicc");
  command.option("--loss", o.loss, loss_choices(), "loss that cv sums up, by default squared, with --classify log");
  command.group("Local fit");
  command.option("--degree", s.degree, "N: degree of the local polynomial, 0, 1 or 2");
  command.option("--robust", o.robust, "N: robust fits after the first, in which samples far from the fit count less");
  command.flag("--causal", s.causal, "use only samples up to the query; the first column of x is time");
  command.option("--decay", s.decay,
                 "RATE: rate at which samples fade with --causal: a weight at age t is multiplied by exp(-RATE t)");
  command.option("--empty", s.empty,
                 cli::Choices<attn::EmptyWindow>{{"nan", attn::EmptyWindow::nan},
                                                 {"nearest", attn::EmptyWindow::nearest},
                                                 {"zero", attn::EmptyWindow::zero},
                                                 {"error", attn::EmptyWindow::error}},
                 "result for a query with no sample in reach");
  command.option("--method", s.method,
                 cli::Choices<Method>{{"auto", Method::automatic},
                                      {"direct", Method::direct},
                                      {"window", Method::window},
                                      {"series", Method::series},
                                      {"tree", Method::tree}},
                 "method of summation; auto takes the cheapest by size alone");
  command.option("--tol", s.tolerance, "SHARE: share of all weights that the tree may drop; 0 is exact to rounding");
}

bool has_grid(const SmootherOptions& o) { return o.bandwidth && attn::starts_with(*o.bandwidth, "cv:"); }

bool is_searched(const SmootherOptions& o) {
  if (o.smoother.kernel == attn::Kernel::constant) return false;
  const std::string word = o.bandwidth.value_or("cv");
  return word == "cv" || word == "aicc" || word == "knn:cv" || has_grid(o);
}

void check_smoother(const SmootherOptions& o, bool classify) {
  if ((o.loss == attn::Loss::log || o.loss == attn::Loss::brier) && !classify)
    throw Error(ErrorKind::usage, "--loss", "log and brier are for labels", "give --classify");
  if (o.robust > 0 && classify)
    throw Error(ErrorKind::usage, "--robust", "is for numbers, not for labels", "leave it out");
}

}  // namespace nwreg
