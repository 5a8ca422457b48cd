// tokenizer.json: its components, each from its own object, and the whole document.
#include <attn/json/node.hpp>
#include <attn/text/files/document.hpp>
#include <attn/text/pipeline/pipeline.hpp>

#include <algorithm>

namespace attn::text {
namespace {

/// The steps of a "Sequence", read by `read`.
template <class Read>
auto read_steps(const JsonNode& list, Read read) {
  std::vector<decltype(read(list))> steps;
  for (std::size_t i = 0; i < list.size(); ++i) steps.push_back(read(list[i]));
  return steps;
}

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

/// A pattern: {"String": ...} or {"Regex": ...}.
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

Vocabulary take_vocabulary(const JsonNode& node, ModelTables& tables) {
  node.at("vocab");
  if (tables.scored) node.at("vocab").fail("is a list, expected an object of tokens and ids");
  return std::move(tables.vocabulary);
}

ModelPtr read_bpe(const JsonNode& node, ModelTables& tables) {
  if (const auto dropout = node.find("dropout"); dropout && dropout->number() != 0)
    dropout->fail("is " + std::to_string(dropout->number()) + "; dropping merges by chance is for training, remove it");
  BpeOptions options;
  if (const auto token = node.find("unk_token")) options.unknown_token = token->string();
  options.continuing_prefix = node.text("continuing_subword_prefix", "");
  options.end_of_word_suffix = node.text("end_of_word_suffix", "");
  options.fuse_unknown = node.flag("fuse_unk", false);
  options.byte_fallback = node.flag("byte_fallback", false);
  options.ignore_merges = node.flag("ignore_merges", false);
  if (!tables.has_merges) node.fail("\"merges\" is missing, or not a list");
  return bpe_model(take_vocabulary(node, tables), tables.merges, options);
}

ModelPtr read_word_piece(const JsonNode& node, ModelTables& tables) {
  WordPieceOptions options;
  options.unknown_token = node.text("unk_token", options.unknown_token);
  options.continuing_prefix = node.text("continuing_subword_prefix", options.continuing_prefix);
  options.max_characters = static_cast<std::size_t>(node.integer("max_input_chars_per_word", 0, INT32_MAX, 100));
  return word_piece_model(take_vocabulary(node, tables), options);
}

ModelPtr read_unigram(const JsonNode& node, ModelTables& tables) {
  node.at("vocab");
  if (!tables.scored) node.at("vocab").fail("is not a list of tokens and scores");
  std::optional<TokenId> unknown;
  if (const auto id = node.find("unk_id")) unknown = id->integer();
  return unigram_model(std::move(tables.vocabulary), std::move(tables.scores), unknown,
                       node.flag("byte_fallback", false));
}

// Files of before 2021 do not name the model; its fields do.
std::string type_of(const JsonNode& node, const ModelTables& tables) {
  if (const auto type = node.find("type")) return type->string();
  if (tables.has_merges) return "BPE";
  if (tables.scored) return "Unigram";
  return node.find("max_input_chars_per_word") || node.find("continuing_subword_prefix") ? "WordPiece" : "WordLevel";
}

/// The model, with the tables of its document, which are moved from.
ModelPtr read_model(const JsonNode& node, ModelTables& tables) {
  const std::string type = type_of(node, tables);
  return node.within([&] {
    if (type == "BPE") return read_bpe(node, tables);
    if (type == "Unigram") return read_unigram(node, tables);
    if (type == "WordLevel") return word_level_model(take_vocabulary(node, tables), node.text("unk_token", "<unk>"));
    if (type == "WordPiece") return read_word_piece(node, tables);
    node.fail("the model \"" + type + "\" is not known");
  });
}

Side read_side(const JsonNode& node) {
  return node.choice<Side>(
      {{"Left", Side::left}, {"left", Side::left}, {"Right", Side::right}, {"right", Side::right}});
}

TemplatePart read_template_part(const JsonNode& node, const std::optional<JsonNode>& special_tokens) {
  TemplatePart part;
  if (const auto text = node.find("Sequence")) {
    part.what = text->at("id").choice<Origin>({{"A", Origin::first}, {"B", Origin::second}});
    part.type_id = text->integer("type_id", 0, INT32_MAX, 0);
    return part;
  }
  const JsonNode special = node.at("SpecialToken");
  part.type_id = special.integer("type_id", 0, INT32_MAX, 0);
  const std::string name = special.at("id").string();
  if (!special_tokens) special.fail("there are no special_tokens");
  const JsonNode ids = special_tokens->at(name).at("ids");
  for (std::size_t i = 0; i < ids.size(); ++i) part.ids.push_back(ids[i].integer());
  return part;
}

// ["[SEP]", 102]
TokenId read_named_id(const JsonNode& node) {
  if (node.size() != 2) node.fail("expected a token and its id");
  return node[1].integer();
}

// The template after some post-processors: segments that the next one treats as one text each.
using Segment = std::vector<TemplatePart>;

struct Arrangement {  // without segments: the post-processors cannot arrange this
  std::vector<Segment> single{{{Origin::first, {}, 0}}};
  std::vector<Segment> pair{{{Origin::first, {}, 0}}, {{Origin::second, {}, 1}}};
  std::vector<OffsetTrim> trims;
};

void set_type_id(Segment& segment, TokenId type_id) {
  for (TemplatePart& part : segment) part.type_id = type_id;
}

// [CLS] first [SEP] second [SEP]; RoBERTa has [SEP] before the second too, and no types.
void surround(std::vector<Segment>& segments, TokenId cls, TokenId sep, bool as_roberta) {
  const auto special = [](TokenId id, TokenId type_id) { return TemplatePart{Origin::added, {id}, type_id}; };
  for (std::size_t i = 0; i < segments.size(); ++i) {
    Segment& segment = segments[i];
    if (as_roberta) set_type_id(segment, 0);
    for (TemplatePart& part : segment)  // what was added before counts as text
      if (part.what == Origin::added) part.what = Origin::first;
    if (i == 0 || as_roberta) segment.insert(segment.begin(), special(i == 0 ? cls : sep, 0));
    segment.push_back(special(sep, i > 0 && !as_roberta ? 1 : 0));
  }
}

void read_surround(const JsonNode& node, bool as_roberta, Arrangement& out) {
  const TokenId cls = read_named_id(node.at("cls")), sep = read_named_id(node.at("sep"));
  surround(out.single, cls, sep, as_roberta);
  surround(out.pair, cls, sep, as_roberta);
}

void read_template(const JsonNode& node, Arrangement& out) {
  const auto tokens = node.find("special_tokens");
  const auto read = [&](const char* name) {
    return read_steps(node.at(name), [&](const JsonNode& part) { return read_template_part(part, tokens); });
  };
  const Segment single = read("single"), pair = read("pair");
  for (const TemplatePart& part : single)
    if (part.what == Origin::second) node.at("single").fail("names the second text, $B");
  const auto fill = [&](std::vector<Segment>& segments) {
    std::vector<Segment> filled;
    if (segments.empty() || segments.size() > 2) return segments.swap(filled);
    for (const TemplatePart& part : segments.size() == 2 ? pair : single) {
      filled.emplace_back();
      if (part.what != Origin::added) {
        filled.back() = segments[part.what == Origin::first ? 0 : 1];
        set_type_id(filled.back(), part.type_id);
      } else if (!part.ids.empty()) {
        filled.back() = {part};
      }
    }
    segments.swap(filled);
  };
  fill(out.single);
  fill(out.pair);
  if (out.single.empty()) node.fail("does not arrange a single text in one or two parts");
}

void read_trim(const JsonNode& node, Arrangement& out) {
  if (node.flag("trim_offsets", true)) out.trims.push_back({node.flag("add_prefix_space", true)});
}

void read_post_processor(const JsonNode& node, Arrangement& out) {
  const std::string type = node.at("type").string();
  if (type == "Sequence") {
    const JsonNode steps = node.at("processors");
    for (std::size_t i = 0; i < steps.size(); ++i) read_post_processor(steps[i], out);
  } else if (type == "ByteLevel") {
    read_trim(node, out);
  } else if (type == "BertProcessing") {
    read_surround(node, false, out);
  } else if (type == "RobertaProcessing") {
    read_trim(node, out);
    read_surround(node, true, out);
  } else if (type == "TemplateProcessing") {
    read_template(node, out);
  } else {
    node.fail("the post-processor \"" + type + "\" is not known");
  }
}

std::vector<TemplatePart> joined(const std::vector<Segment>& segments) {
  std::vector<TemplatePart> parts;
  for (const Segment& segment : segments) parts.insert(parts.end(), segment.begin(), segment.end());
  return parts;
}

void read_padding(const JsonNode& node, PaddingOptions& padding) {
  if (const auto side = node.find("direction")) padding.side = read_side(*side);
  padding.id = node.integer("pad_id", 0, INT32_MAX, 0);
  padding.type_id = node.integer("pad_type_id", 0, INT32_MAX, 0);
  padding.multiple = static_cast<std::size_t>(node.integer("pad_to_multiple_of", 1, INT32_MAX, 1));
}

void read_truncation(const JsonNode& node, TruncationOptions& truncation) {
  truncation.max_length = static_cast<std::size_t>(node.integer("max_length", 0, INT64_MAX));
  if (const auto strategy = node.find("strategy"))
    truncation.strategy = strategy->choice<Truncation>({{"LongestFirst", Truncation::longest_first},
                                                        {"OnlyFirst", Truncation::only_first},
                                                        {"OnlySecond", Truncation::only_second}});
  if (const auto side = node.find("direction")) truncation.side = read_side(*side);
}

AddedToken read_added_token(const JsonNode& node) {
  AddedToken token;
  token.id = node.at("id").integer();
  token.content = node.at("content").string();
  token.special = node.flag("special", false);
  token.single_word = node.flag("single_word", false);
  token.left_strip = node.flag("lstrip", false);
  token.right_strip = node.flag("rstrip", false);
  token.normalized = node.flag("normalized", !token.special);
  return token;
}

PostProcessor read_post_processor(const JsonNode& node) {
  Arrangement arrangement;
  read_post_processor(node, arrangement);
  return {joined(arrangement.single), joined(arrangement.pair), std::move(arrangement.trims)};
}

}  // namespace

std::shared_ptr<Tokenizer::Pipeline> pipeline_from_json(std::string_view text, const std::string& name,
                                                        const EditComponents& edit) {
  TokenizerDocument document = read_tokenizer_document(text, name, edit);
  const JsonNode& root = document.components;
  auto pipeline = std::make_shared<Tokenizer::Pipeline>();
  if (const auto node = root.find("normalizer")) pipeline->normalizer = read_normalizer(*node);
  if (const auto node = root.find("pre_tokenizer")) pipeline->pre_tokenizer = read_pre_tokenizer(*node);
  pipeline->model = read_model(root.at("model"), document.tables);
  if (const auto node = root.find("post_processor")) pipeline->post_processor = read_post_processor(*node);
  if (const auto node = root.find("decoder")) pipeline->decoder = read_decoder(*node);
  if (const auto node = root.find("truncation")) read_truncation(*node, pipeline->truncation);
  if (const auto node = root.find("padding")) read_padding(*node, pipeline->padding);
  if (const auto list = root.find("added_tokens"))
    for (std::size_t i = 0; i < list->size(); ++i)
      (*list)[i].within([&] { pipeline->add(read_added_token((*list)[i])); });
  return pipeline;
}

Tokenizer tokenizer_from_json(std::string_view text, const std::string& name) {
  return Tokenizer(pipeline_from_json(text, name));
}

}  // namespace attn::text
