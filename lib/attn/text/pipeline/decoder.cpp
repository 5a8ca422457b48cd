#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/text/models/model.hpp>
#include <attn/text/pipeline/decoder.hpp>
#include <attn/text/pipeline/normalizer.hpp>
#include <attn/text/unicode.hpp>

#include <functional>

namespace attn::text {

namespace {

using Tokens = std::vector<std::string>;

// Rules that each double a token would fill any memory; no decoder of a real tokenizer comes near.
constexpr std::size_t max_token = std::size_t{1} << 24;

class SimpleDecoder final : public Decoder {
 public:
  explicit SimpleDecoder(std::function<void(Tokens&)> what) : what_(std::move(what)) {}
  void apply(Tokens& tokens) const override { what_(tokens); }

 private:
  std::function<void(Tokens&)> what_;
};

DecoderPtr simple(std::function<void(Tokens&)> what) { return std::make_unique<SimpleDecoder>(std::move(what)); }

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

void fuse(Tokens& tokens) {
  std::string all;
  for (const std::string& token : tokens) all += token;
  tokens.assign(1, std::move(all));
}

void spell_bytes(Tokens& tokens) {
  std::string bytes;
  for (const std::string& token : tokens) {
    std::string spelled;
    bool all = true;
    for (std::size_t i = 0; i < token.size() && all;) {
      const CodePoint c = code_point_at(token, i);
      const int byte = byte_of_spelling(c.value);
      all = byte >= 0;
      spelled += static_cast<char>(byte);
      i += c.length;
    }
    bytes += all ? spelled : token;  // an added token is not spelled in bytes
  }
  tokens.assign(1, replace_invalid_utf8(bytes));
}

void join_fallback_bytes(Tokens& tokens) {
  Tokens out;
  std::string run;
  const auto end_run = [&] {
    if (run.empty()) return;
    if (!find_invalid_utf8(run)) {
      out.push_back(run);
    } else {
      out.insert(out.end(), run.size(), to_utf8(0xFFFD));  // one for each byte
    }
    run.clear();
  };
  for (std::string& token : tokens) {
    if (const auto byte = byte_of_token(token)) {
      run += static_cast<char>(*byte);
    } else {
      end_run();
      out.push_back(std::move(token));
    }
  }
  end_run();
  tokens = std::move(out);
}

std::string strip(const std::string& token, char32_t what, std::size_t left, std::size_t right) {
  const std::string unit = to_utf8(what);
  std::size_t begin = 0, end = token.size();
  while (left-- > 0 && token.compare(begin, unit.size(), unit) == 0) begin += unit.size();
  while (right-- > 0 && end >= begin + unit.size() && token.compare(end - unit.size(), unit.size(), unit) == 0)
    end -= unit.size();
  return token.substr(begin, end - begin);
}

}  // namespace

std::string join_contractions(std::string text, bool do_not) {
  static constexpr std::pair<const char*, const char*> rules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : rules)
    if (do_not || std::string_view(from) != " do not") replace_all(text, from, to);
  return text;
}

DecoderPtr word_piece_decoder(std::string prefix, bool cleanup) {
  return simple([prefix = std::move(prefix), cleanup](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string& token = tokens[i];
      if (i > 0) {
        if (!prefix.empty() && starts_with(token, prefix)) {
          token.erase(0, prefix.size());
        } else {
          token.insert(0, 1, ' ');
        }
      }
      if (cleanup) token = join_contractions(std::move(token), true);
    }
  });
}

DecoderPtr byte_level_decoder() { return simple(spell_bytes); }

DecoderPtr byte_fallback_decoder() { return simple(join_fallback_bytes); }

DecoderPtr metaspace_decoder(std::string replacement, Prepend prepend) {
  return simple([replacement = std::move(replacement), prepend](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      // Removes the space that was added before the text, with all others of the first token.
      replace_all(tokens[i], replacement, i == 0 && prepend != Prepend::never ? "" : " ");
    }
  });
}

DecoderPtr bpe_decoder(std::string suffix) {
  return simple([suffix = std::move(suffix)](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) replace_all(tokens[i], suffix, i + 1 < tokens.size() ? " " : "");
  });
}

DecoderPtr ctc_decoder(std::string pad_token, std::string word_delimiter, bool cleanup) {
  return simple(
      [pad_token = std::move(pad_token), word_delimiter = std::move(word_delimiter), cleanup](Tokens& tokens) {
        Tokens out;
        const std::string* before = nullptr;
        for (const std::string& token : tokens) {
          const bool repeated = before != nullptr && *before == token;
          before = &token;
          if (repeated) continue;
          std::string text = token;
          replace_all(text, pad_token, "");
          if (cleanup) {
            text = join_contractions(std::move(text), true);
            replace_all(text, word_delimiter, " ");
          }
          if (!text.empty()) out.push_back(std::move(text));
        }
        tokens = std::move(out);
      });
}

DecoderPtr replace_decoder(Pattern pattern, std::string content) {
  return simple([pattern = std::move(pattern), content = std::move(content)](Tokens& tokens) {
    for (std::string& token : tokens) {
      std::string out;
      std::size_t done = 0;
      pattern.each(token, [&](Span match) {
        out.append(token, done, match.begin - done);
        out += content;
        done = match.end;
      });
      token = out.append(token, done, std::string::npos);
      if (token.size() > max_token)
        throw Error(ErrorKind::data, "decoder", "a token grows beyond " + std::to_string(max_token) + " bytes");
    }
  });
}

DecoderPtr strip_decoder(char32_t what, std::size_t left, std::size_t right) {
  return simple([=](Tokens& tokens) {
    for (std::string& token : tokens) token = strip(token, what, left, right);
  });
}

DecoderPtr fuse_decoder() { return simple(fuse); }

DecoderPtr space_decoder() {
  return simple([](Tokens& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) tokens[i].insert(0, 1, ' ');
  });
}

DecoderPtr decoder_sequence(std::vector<DecoderPtr> steps) {
  // A function object is copied; what it holds must be copyable.
  auto shared = std::make_shared<std::vector<DecoderPtr>>(std::move(steps));
  return simple([shared](Tokens& tokens) {
    for (const auto& step : *shared) step->apply(tokens);
  });
}

}  // namespace attn::text
