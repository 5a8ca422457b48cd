// tokenizer.json: the whole document.

#include <attn/text/json_components.hpp>

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

TemplatePart special(TokenId id, TokenId type_id = 0) { return {Origin::added, {id}, type_id}; }

void merge(PostProcessor& whole, PostProcessor part) {
  const PostProcessor none;
  if (part.added(false) + part.added(true) > 0 || part.pair.back().type_id != none.pair.back().type_id) {
    whole.single = std::move(part.single);
    whole.pair = std::move(part.pair);
  }
  whole.trim_offsets = whole.trim_offsets || part.trim_offsets;
  whole.prefix_space = whole.prefix_space || part.prefix_space;
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
  const std::string type = node.at("type").string();
  PostProcessor out;
  if (type == "Sequence") {
    for (auto& step : read_steps(node.at("processors"), read_post_processor)) merge(out, std::move(step));
  } else if (type == "ByteLevel") {
    out.trim_offsets = node.flag("trim_offsets", true);
    out.prefix_space = node.flag("add_prefix_space", true);
  } else if (type == "BertProcessing") {
    const TokenId cls = read_named_id(node.at("cls")), sep = read_named_id(node.at("sep"));
    out.single = {special(cls), {Origin::first, {}, 0}, special(sep)};
    out.pair = {special(cls), {Origin::first, {}, 0}, special(sep), {Origin::second, {}, 1}, special(sep, 1)};
  } else if (type == "RobertaProcessing") {
    const TokenId cls = read_named_id(node.at("cls")), sep = read_named_id(node.at("sep"));
    out.trim_offsets = node.flag("trim_offsets", true);
    out.prefix_space = node.flag("add_prefix_space", true);
    out.single = {special(cls), {Origin::first, {}, 0}, special(sep)};
    out.pair = {special(cls), {Origin::first, {}, 0},  special(sep),
                special(sep), {Origin::second, {}, 0}, special(sep)};
  } else if (type == "TemplateProcessing") {
    const auto tokens = node.find("special_tokens");
    const auto part = [&](const JsonNode& place) { return read_template_part(place, tokens); };
    out.single = read_steps(node.at("single"), part);
    out.pair = read_steps(node.at("pair"), part);
    for (const TemplatePart& place : out.single)
      if (place.what == Origin::second) node.at("single").fail("names the second text, $B");
  } else {
    node.fail("the post-processor \"" + type + "\" is not known");
  }
  return out;
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
