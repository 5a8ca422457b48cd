#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/pipeline/pipeline.hpp>

#include <algorithm>

namespace attn::text {

namespace {

// Tokens of one text on their way through the pipeline.
struct Tokenization {
  const Tokenizer::Pipeline& pipeline;
  bool offsets;
  Encoding out;
  std::vector<Token> tokens;

  void push_as_written(TokenId id, std::string_view written, Span origin) {
    if (pipeline.spelling(id) != written) out.written.emplace_back(out.size(), written);
    push(id, origin);
  }

  void push(TokenId id, Span origin) {
    out.ids.push_back(id);
    if (offsets) out.offsets.push_back(origin);
  }

  void model(const Pieces& pieces) {
    const std::string_view text = pieces.text.text();
    const auto unknown = pipeline.model->unknown(), shown = pipeline.model->shown_as_written();
    for (const Span& piece : pieces.spans) {
      if (piece.size() == 0) continue;
      tokens.clear();
      const bool is_first = pieces.text.is_from_start(piece.begin);
      pipeline.model->tokenize_part(text.substr(piece.begin, piece.size()), is_first, tokens);
      for (const Token& token : tokens) {
        const std::size_t begin = piece.begin + token.span.begin, end = piece.begin + token.span.end;
        const Span origin = offsets ? pieces.text.origin(begin, end) : Span{};
        out.has_unknown = out.has_unknown || token.id == unknown;
        if (token.id == shown) {
          push_as_written(token.id, text.substr(begin, end - begin), origin);
        } else {
          push(token.id, origin);
        }
      }
    }
  }

  void pre_tokenize(AlignedText text) {
    if (text.text().empty()) return;
    const Span whole{0, text.text().size()};
    Pieces pieces{std::move(text), {whole}};
    if (pipeline.pre_tokenizer) pipeline.pre_tokenizer->apply(pieces);
    model(pieces);
  }

  void normalize(AlignedText text) {
    if (pipeline.normalizer) pipeline.normalizer->apply(text);
    if (pipeline.in_normalized.empty()) return pre_tokenize(std::move(text));
    std::size_t done = 0;
    pipeline.in_normalized.each(text.text(), [&](const AddedToken& token, Span where) {
      if (done < where.begin) pre_tokenize(text.cut({done, where.begin}));
      push_as_written(token.id, std::string_view(text.text()).substr(where.begin, where.size()),
                      text.origin(where.begin, where.end));
      done = where.end;
    });
    if (done == 0) return pre_tokenize(std::move(text));
    if (done < text.text().size()) pre_tokenize(text.cut({done, text.text().size()}));
  }

  void run(std::string_view text) {
    std::size_t done = 0;
    const auto between = [&](std::size_t end) {
      if (done < end) normalize(AlignedText(text.substr(done, end - done), done, offsets));
    };
    pipeline.in_text.each(text, [&](const AddedToken& token, Span where) {
      between(where.begin);
      push_as_written(token.id, text.substr(where.begin, where.size()), where);
      done = where.end;
    });
    between(text.size());
  }
};

void trim_offsets(const Tokenizer::Pipeline& pipeline, OffsetTrim how, std::string_view text, Encoding& tokens) {
  const auto spaces = [](std::string_view token, bool from_front) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < token.size();) {
      const CodePoint c = code_point_at(token, i);
      const bool space = byte_of_spelling(c.value) == ' ' || is_whitespace(c.value);
      if (!space && from_front) break;
      count = space ? count + 1 : 0;
      i += c.length;
    }
    return count;
  };
  auto written = tokens.written.begin();
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    Span& span = tokens.offsets[t];
    std::string_view token = pipeline.spelling(tokens.ids[t]).value_or("");
    if (written != tokens.written.end() && written->first == t) token = (written++)->second;
    std::size_t front = spaces(token, true), back = spaces(token, false);
    // The space that the tokenizer added has no text.
    if (front == 1 && how.prefix_space && (t == 0 || span.begin == 0)) front = 0;
    for (; front > 0 && span.begin < span.end; --front) span.begin += code_point_at(text, span.begin).length;
    std::size_t end = span.end;
    for (; back > 0 && end > 0; --back) {
      do --end;
      while (is_continuation_byte(text[end]));
    }
    if (back == 0) span.end = std::max(end, span.begin);
  }
}

Encoding tokens_of(const Tokenizer::Pipeline& pipeline, std::string_view text, const EncodeOptions& options) {
  if (const auto at = find_invalid_utf8(text))
    throw Error(ErrorKind::data, "text", "byte " + std::to_string(*at + 1) + " is not UTF-8",
                "convert the text, for example with iconv");
  Tokenization tokenization{pipeline, options.offsets, {}, {}};
  tokenization.run(text);
  Encoding& out = tokenization.out;
  out.type_ids.assign(out.size(), 0);
  out.origins.assign(out.size(), Origin::first);
  return std::move(out);
}

// Truncation, then the post-processor. `second_text` may be null. With an overlap all windows, else the first.
std::vector<Encoding> join(const Tokenizer::Pipeline& pipeline, std::string_view first_text,
                           const std::string_view* second_text, const EncodeOptions& options,
                           std::optional<std::size_t> overlap = std::nullopt) {
  const bool is_pair = second_text != nullptr;
  const PostProcessor& post = pipeline.post_processor;
  if (is_pair && post.pair.empty())
    throw Error(ErrorKind::data, "tokenizer", "its post-processor has no way to join two texts");
  Encoding first = tokens_of(pipeline, first_text, options), second;
  if (is_pair) second = tokens_of(pipeline, *second_text, options);
  std::pair<std::size_t, std::size_t> keep{first.size(), second.size()};
  if (const std::size_t limit = options.truncation.max_length; limit > 0) {
    const std::size_t added = options.special_tokens ? post.added(is_pair) : 0;
    if (limit < added)
      throw Error(
          ErrorKind::usage, "maximum length",
          std::to_string(limit) + " leaves no room for text: " + std::to_string(added) + " special tokens are added");
    keep = kept_lengths(first.size(), is_pair ? std::optional(second.size()) : std::nullopt, limit - added,
                        options.truncation);
  }
  auto firsts = parts_of(std::move(first), keep.first, options.truncation.side, overlap);
  auto seconds = parts_of(std::move(second), keep.second, options.truncation.side, overlap);
  if (options.offsets)
    for (const OffsetTrim& trim : post.trims) {
      for (Encoding& part : firsts) trim_offsets(pipeline, trim, first_text, part);
      for (Encoding& part : seconds) trim_offsets(pipeline, trim, is_pair ? *second_text : "", part);
    }
  std::vector<Encoding> windows;
  const auto add = [&](std::size_t i, std::size_t j) {
    windows.push_back(post.apply(firsts[i], is_pair ? &seconds[j] : nullptr, options));
  };
  add(0, 0);
  for (std::size_t i = 1; i < firsts.size(); ++i)
    for (std::size_t j = 0; j < seconds.size(); ++j) add(i, j);
  for (std::size_t j = 1; j < seconds.size(); ++j) add(0, j);
  return windows;
}

}  // namespace

void Tokenizer::Pipeline::add(const AddedToken& token) {
  if (token.id < 0 || token.id > Vocabulary::max_id)
    throw Error(ErrorKind::data, "added token \"" + token.content + "\"",
                "has the id " + std::to_string(token.id) + ", expected 0 to " + std::to_string(Vocabulary::max_id));
  const auto [at, fresh] = added.emplace(token.id, token);
  if (!fresh && at->second.content != token.content)
    throw Error(ErrorKind::data, "added token \"" + token.content + "\"",
                "has the id " + std::to_string(token.id) + " of \"" + at->second.content + "\"");
  added_ids.emplace(token.content, token.id);
  AlignedText text(token.content, 0, false);
  if (token.normalized && normalizer) normalizer->apply(text);
  (token.normalized ? in_normalized : in_text).add(text.text(), token);
  at->second.text = text.text();
  if (token.special) special_texts.insert(token.content);
}

TokenId Tokenizer::Pipeline::id_of(const std::string& token) const {
  if (const auto at = added_ids.find(token); at != added_ids.end()) return at->second;
  if (const auto id = model->vocabulary().find(token)) return *id;
  throw Error(ErrorKind::data, "token \"" + token + "\"", "is not in the vocabulary");
}

std::optional<std::string_view> Tokenizer::Pipeline::token(TokenId id) const {
  if (const auto at = added.find(id); at != added.end()) return at->second.text;
  return model->vocabulary().token(id);
}

std::optional<std::string_view> Tokenizer::Pipeline::spelling(TokenId id) const {
  if (const auto at = added.find(id); at != added.end()) return at->second.content;
  return model->vocabulary().token(id);
}

bool Tokenizer::Pipeline::is_left_out(TokenId id) const {
  const auto at = added.find(id);
  return at != added.end() && special_texts.count(at->second.text) > 0;
}

std::size_t Tokenizer::Pipeline::vocabulary_size() const {
  const std::size_t own = model->vocabulary().size();
  return added.empty() ? own : std::max(own, static_cast<std::size_t>(added.rbegin()->first) + 1);
}

Tokenizer::Tokenizer(std::shared_ptr<const Pipeline> pipeline) : pipeline_(std::move(pipeline)) {}

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  return std::move(join(*pipeline_, text, nullptr, options).front());
}

Encoding Tokenizer::encode(std::string_view first, std::string_view second, const EncodeOptions& options) const {
  return std::move(join(*pipeline_, first, &second, options).front());
}

std::vector<Encoding> Tokenizer::windows(std::string_view first, const std::optional<std::string_view>& second,
                                         std::size_t overlap, const EncodeOptions& options) const {
  return join(*pipeline_, first, second ? &*second : nullptr, options, overlap);
}

std::vector<bool> Tokenizer::continuations(const Encoding& encoding, std::string_view text) const {
  const std::string& prefix = pipeline_->model->continuing_prefix();
  const auto is_space = [&](std::size_t i) { return i < text.size() && text[i] == ' '; };
  std::vector<bool> continues(encoding.size());
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    const std::size_t begin = encoding.offsets[i].begin;
    const bool goes_on = prefix.empty() ? begin > 0 && !is_space(begin - 1) && !is_space(begin)
                                        : starts_with(pipeline_->spelling(encoding.ids[i]).value_or(""), prefix);
    continues[i] = goes_on && encoding.ids[i] != pipeline_->model->unknown();
  }
  return continues;
}

std::string Tokenizer::decode(const std::vector<TokenId>& ids, bool skip_special_tokens) const {
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  for (const TokenId id : ids)
    if (!skip_special_tokens || !pipeline_->is_left_out(id)) tokens.push_back(token(id));
  pipeline_->decoder->apply(tokens);
  std::string text;
  for (const std::string& token : tokens) text += token;
  return pipeline_->cleans_up ? join_contractions(std::move(text), false) : text;
}

std::string Tokenizer::token(TokenId id) const {
  if (const auto token = pipeline_->token(id)) return std::string(*token);
  throw Error(ErrorKind::data, "id " + std::to_string(id),
              "is not in the vocabulary of " + std::to_string(vocabulary_size()) + " tokens");
}

std::vector<std::string> Tokenizer::tokens(const Encoding& encoding) const {
  std::vector<std::string> tokens;
  tokens.reserve(encoding.size());
  for (const TokenId id : encoding.ids) {
    const auto spelling = pipeline_->spelling(id);
    tokens.push_back(spelling ? std::string(*spelling) : token(id));  // which throws
  }
  for (const auto& [place, written] : encoding.written) tokens[place] = written;
  return tokens;
}

std::optional<TokenId> Tokenizer::find(std::string_view token) const {
  if (const auto at = pipeline_->added_ids.find(std::string(token)); at != pipeline_->added_ids.end())
    return at->second;
  return pipeline_->model->vocabulary().find(token);
}

bool Tokenizer::is_special(TokenId id) const {
  const auto at = pipeline_->added.find(id);
  return at != pipeline_->added.end() && at->second.special;
}

bool Tokenizer::has(TokenId id) const { return pipeline_->token(id).has_value(); }

TokenId Tokenizer::mask_token() const {
  const std::string& named = pipeline_->mask;
  if (!named.empty()) {
    if (const auto id = find(named)) return *id;
    throw Error(ErrorKind::data, "tokenizer", "its mask token " + named + " is not in the vocabulary");
  }
  for (const char* token : {"[MASK]", "<mask>"})
    if (const auto id = find(token)) return *id;
  throw Error(ErrorKind::data, "tokenizer", "has no mask token: neither [MASK] nor <mask>",
              "name it as \"mask_token\" in tokenizer_config.json");
}

std::vector<TokenId> Tokenizer::ids() const {
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < static_cast<TokenId>(vocabulary_size()); ++id)
    if (pipeline_->token(id)) ids.push_back(id);
  return ids;
}

std::size_t Tokenizer::vocabulary_size() const { return pipeline_->vocabulary_size(); }

const TruncationOptions& Tokenizer::truncation() const { return pipeline_->truncation; }

const std::vector<std::string>& Tokenizer::notes() const { return pipeline_->notes; }

const PaddingOptions& Tokenizer::padding() const { return pipeline_->padding; }

std::vector<Span> in_code_points(const Encoding& encoding, std::string_view first, std::string_view second) {
  if (encoding.offsets.empty()) return {};
  // How many code points begin before each byte.
  const auto counts = [](std::string_view text) {
    std::vector<std::size_t> before(text.size() + 1, 0);
    for (std::size_t i = 0; i < text.size(); ++i) before[i + 1] = before[i] + (is_continuation_byte(text[i]) ? 0 : 1);
    return before;
  };
  const auto in_first = counts(first), in_second = counts(second);
  std::vector<Span> offsets;
  offsets.reserve(encoding.size());
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    const auto& before = encoding.origins[i] == Origin::second ? in_second : in_first;
    offsets.push_back({before[encoding.offsets[i].begin], before[encoding.offsets[i].end]});
  }
  return offsets;
}

}  // namespace attn::text
