// tokenizer.json: the whole document.

#include <attn/text/files/tokenizer_json_parts.hpp>

namespace attn::text {

namespace {

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

}  // namespace

PostProcessor read_post_processor(const JsonNode& node) {
  Arrangement arrangement;
  read_post_processor(node, arrangement);
  return {joined(arrangement.single), joined(arrangement.pair), std::move(arrangement.trims)};
}

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
