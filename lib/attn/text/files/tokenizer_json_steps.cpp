// Normalisers, pre-tokenisers and decoders of a tokenizer.json.

#include <attn/text/files/tokenizer_json_parts.hpp>

#include <algorithm>

namespace attn::text {

namespace {

Prepend read_prepend(const JsonNode& node) {
  if (const auto scheme = node.find("prepend_scheme"))
    return scheme->choice<Prepend>({{"always", Prepend::always}, {"never", Prepend::never}, {"first", Prepend::first}});
  return node.flag("add_prefix_space", true) ? Prepend::always : Prepend::never;
}

Split read_behavior(const JsonNode& node) {
  return node.choice<Split>({{"Removed", Split::removed},
                             {"Isolated", Split::isolated},
                             {"MergedWithPrevious", Split::merged_with_previous},
                             {"MergedWithNext", Split::merged_with_next},
                             {"Contiguous", Split::contiguous}});
}

char32_t read_character(const JsonNode& node) {
  const std::string text = node.string();
  if (count_code_points(text) != 1) node.fail("\"" + text + "\" is not one character");
  return code_point_at(text, 0).value;
}

std::string read_replacement(const JsonNode& node) {
  const auto field = node.find("replacement");
  return field ? to_utf8(read_character(*field)) : to_utf8(0x2581);
}

std::size_t read_count(const JsonNode& node) { return static_cast<std::size_t>(node.integer(0, INT32_MAX)); }

std::string decode_base64(const JsonNode& node) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t buffer = 0;
  int bits = 0;
  const std::string text = node.string();
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) node.fail("is not base64");
    buffer = buffer << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(buffer >> bits & 0xFF);
    }
  }
  return bytes;
}

}  // namespace

Pattern read_pattern(const JsonNode& node) {
  return node.within([&] {
    if (const auto text = node.find("String")) return Pattern::literal(text->string());
    return Pattern::regex(node.at("Regex").string(), node.subject());
  });
}

NormalizerPtr read_normalizer(const JsonNode& node) {
  const std::string type = node.at("type").string();
  if (type == "Sequence") return normalizer_sequence(read_steps(node.at("normalizers"), read_normalizer));
  if (type == "BertNormalizer") {
    BertNormalization what;
    what.clean_text = node.flag("clean_text", true);
    what.space_out_ideographs = node.flag("handle_chinese_chars", true);
    what.lowercase = node.flag("lowercase", true);
    what.strip_accents = node.flag("strip_accents", what.lowercase);
    return bert_normalizer(what);
  }
  if (type == "NFC") return form_normalizer(Form::nfc);
  if (type == "NFD") return form_normalizer(Form::nfd);
  if (type == "NFKC") return form_normalizer(Form::nfkc);
  if (type == "NFKD") return form_normalizer(Form::nfkd);
  if (type == "Lowercase") return lowercase_normalizer();
  if (type == "Strip") return strip_normalizer(node.flag("strip_left", true), node.flag("strip_right", true));
  if (type == "StripAccents") return strip_accents_normalizer();
  if (type == "Replace") return replace_normalizer(read_pattern(node.at("pattern")), node.at("content").string());
  if (type == "Prepend") return prepend_normalizer(node.at("prepend").string());
  if (type == "ByteLevel") return byte_level_normalizer();
  if (type == "Nmt") return nmt_normalizer();
  if (type == "Precompiled") {
    const JsonNode table = node.at("precompiled_charsmap");
    return table.within([&] { return precompiled_normalizer(decode_base64(table)); });
  }
  node.fail("the normalizer \"" + type + "\" is not known");
}

PreTokenizerPtr read_pre_tokenizer(const JsonNode& node) {
  const std::string type = node.at("type").string();
  if (type == "Sequence") return pre_tokenizer_sequence(read_steps(node.at("pretokenizers"), read_pre_tokenizer));
  if (type == "BertPreTokenizer") return bert_pre_tokenizer();
  if (type == "ByteLevel")
    return byte_level_pre_tokenizer(node.flag("add_prefix_space", true), node.flag("use_regex", true));
  if (type == "CharDelimiterSplit") {
    const char32_t delimiter = read_character(node.at("delimiter"));
    return class_pre_tokenizer([delimiter](char32_t c) { return c == delimiter; }, Split::removed);
  }
  if (type == "Digits")
    return class_pre_tokenizer(is_numeric, node.flag("individual_digits", false) ? Split::isolated : Split::contiguous);
  if (type == "FixedLength") {
    return fixed_length_pre_tokenizer(static_cast<std::size_t>(node.integer("length", 1, INT32_MAX)));
  }
  if (type == "Metaspace")
    return metaspace_pre_tokenizer(read_replacement(node), read_prepend(node), node.flag("split", true));
  if (type == "Punctuation") {
    const auto behavior = node.find("behavior");
    return class_pre_tokenizer([](char32_t c) { return c < 0x80 ? is_ascii_punctuation(c) : is_punctuation(c); },
                               behavior ? read_behavior(*behavior) : Split::isolated);
  }
  if (type == "Split")
    return split_pre_tokenizer(read_pattern(node.at("pattern")), read_behavior(node.at("behavior")),
                               node.flag("invert", false));
  if (type == "UnicodeScripts") return unicode_scripts_pre_tokenizer();
  if (type == "Whitespace") return whitespace_pre_tokenizer();
  if (type == "WhitespaceSplit") return class_pre_tokenizer(is_whitespace, Split::removed);
  node.fail("the pre-tokenizer \"" + type + "\" is not known");
}

DecoderPtr read_decoder(const JsonNode& node) {
  const std::string type = node.at("type").string();
  if (type == "Sequence") return decoder_sequence(read_steps(node.at("decoders"), read_decoder));
  if (type == "BPEDecoder") return bpe_decoder(node.text("suffix", "</w>"));
  if (type == "ByteFallback") return byte_fallback_decoder();
  if (type == "ByteLevel") return byte_level_decoder();
  if (type == "CTC")
    return ctc_decoder(node.text("pad_token", "<pad>"), node.text("word_delimiter_token", "|"),
                       node.flag("cleanup", true));
  if (type == "Fuse") return fuse_decoder();
  if (type == "Metaspace") return metaspace_decoder(read_replacement(node), read_prepend(node));
  if (type == "Replace") return replace_decoder(read_pattern(node.at("pattern")), node.at("content").string());
  if (type == "Strip")
    return strip_decoder(read_character(node.at("content")), read_count(node.at("start")), read_count(node.at("stop")));
  if (type == "WordPiece") return word_piece_decoder(node.text("prefix", "##"), node.flag("cleanup", true));
  node.fail("the decoder \"" + type + "\" is not known");
}

}  // namespace attn::text
