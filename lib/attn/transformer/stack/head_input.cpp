#include <attn/transformer/stack/head_input.hpp>

#include <attn/core/error.hpp>
#include <attn/core/shape.hpp>
#include <attn/transformer/text_vectors.hpp>

#include <algorithm>

namespace attn {
namespace {

using Tokens = std::vector<std::int64_t>;

/// The last token of row b that is real, by its id where the model has a padding token.
std::size_t last_real(const SpecialTokens& tokens, const TokenBatch& source, std::size_t b) {
  const Tokens ids = to_integers(element(source.ids, b));
  const Tokens mask = source.padding_mask ? to_integers(element(*source.padding_mask, b)) : Tokens(ids.size(), 1);
  for (std::size_t i = ids.size(); i-- > 0;)
    if (tokens.padding ? ids[i] != *tokens.padding : mask[i] != 0) return i;
  return ids.empty() ? 0 : ids.size() - 1;
}

}  // namespace

namespace {

/// The token of each row that the head reads, where it reads one.
std::vector<std::size_t> token_of_head(const Model& model, const TensorView& states, const TokenBatch& source) {
  const HeadDescription& head = *model.description().head;
  std::vector<std::size_t> at(states.shape[0], 0);
  if (head.over == HeadDescription::Over::last_token)
    for (std::size_t b = 0; b < at.size(); ++b) at[b] = last_real(model.description().tokens, source, b);
  if (head.over == HeadDescription::Over::last_end_token)
    for (std::size_t b = 0; b < at.size(); ++b) {
      const Tokens ids = to_integers(element(source.ids, b));
      const auto& end = model.description().tokens.end;
      const auto last = std::find_first_of(ids.rbegin(), ids.rend(), end.begin(), end.end());
      if (last == ids.rend())
        throw Error(ErrorKind::data, source.ids.name,
                    "row " + std::to_string(b) + " has no end token to read the class from");
      at[b] = static_cast<std::size_t>(ids.rend() - last) - 1;
    }
  if (head.over == HeadDescription::Over::first_end_token || head.over == HeadDescription::Over::largest_token)
    for (std::size_t b = 0; b < at.size(); ++b) {
      const Tokens ids = to_integers(element(source.ids, b));
      const auto& end = model.description().tokens.end;
      const auto found = head.over == HeadDescription::Over::largest_token
                             ? std::max_element(ids.begin(), ids.end())
                             : std::find_first_of(ids.begin(), ids.end(), end.begin(), end.end());
      if (found == ids.end())
        throw Error(ErrorKind::data, source.ids.name,
                    "row " + std::to_string(b) + " has no end token to read the vector from");
      at[b] = static_cast<std::size_t>(found - ids.begin());
    }
  return at;
}

/// The gradient by states (B, L, width) for dy, that by the mean of the tokens that the mask leaves: a share for each.
TensorView mean_vjp(const TensorView& states, const std::optional<TensorView>& padding_mask, const TensorView& dy) {
  const std::size_t batch = states.shape[0], length = states.shape[1], width = states.shape[2];
  Tensor d = Tensor::zeros(dy.dtype, states.shape);
  for (std::size_t b = 0; b < batch; ++b) {
    const Tokens mask = padding_mask ? to_integers(element(*padding_mask, b)) : Tokens(length, 1);
    const auto tokens = static_cast<double>(length - static_cast<std::size_t>(std::count(mask.begin(), mask.end(), 0)));
    visit_compute_dtype(dy.dtype, [&](auto of_type) {
      using T = decltype(of_type);
      const T* const from = dy.contiguous_data<T>() + b * width;
      for (std::size_t i = 0; i < length; ++i)
        for (std::size_t j = 0; j < width && mask[i] != 0; ++j)
          d.data_as<T>()[(b * length + i) * width + j] = static_cast<T>(from[j] / tokens);
    });
  }
  return d.view(states.name);
}

}  // namespace

TensorView seen_by_head(const Model& model, const TensorView& states, const TokenBatch& source) {
  const HeadDescription& head = *model.description().head;
  if (head.over == HeadDescription::Over::every_token) return states;
  if (head.over == HeadDescription::Over::mean) return pool(states, source.padding_mask, Pooling::mean);
  const std::vector<std::size_t> at = token_of_head(model, states, source);
  Tensor seen(states.dtype, {states.shape[0], states.shape[2]});
  auto* to = static_cast<char*>(seen.data());
  for (std::size_t b = 0; b < at.size(); ++b) {
    const TensorView vector = contiguous(element(element(states, b), at[b]));
    to = std::copy_n(static_cast<const char*>(vector.data), vector.bytes(), to);
  }
  return seen.view(states.name);
}

TensorView seen_by_head_vjp(const Model& model, const TensorView& states, const TokenBatch& source,
                            const TensorView& dy) {
  const HeadDescription& head = *model.description().head;
  if (head.over == HeadDescription::Over::every_token) return dy;
  if (head.over == HeadDescription::Over::mean) return mean_vjp(states, source.padding_mask, dy);
  const std::vector<std::size_t> at = token_of_head(model, states, source);
  Tensor d = Tensor::zeros(dy.dtype, states.shape);
  const std::size_t bytes = states.shape[2] * element_size(dy.dtype);
  const TensorView rows = contiguous(dy);
  for (std::size_t b = 0; b < at.size(); ++b)
    std::copy_n(static_cast<const char*>(rows.data) + b * bytes, bytes,
                static_cast<char*>(d.data()) + (b * states.shape[1] + at[b]) * bytes);
  return d.view(states.name);
}

}  // namespace attn
