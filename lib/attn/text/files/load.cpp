// The tokenizer of a model's folder, whichever files it is kept in.
#include <attn/core/characters.hpp>
#include <attn/json/node.hpp>
#include <attn/text/files/class_settings.hpp>
#include <attn/text/files/folder.hpp>
#include <attn/text/models/sentence_piece.hpp>
#include <attn/text/piece_processor.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace attn::text {
namespace {

// Runs f and adds the name of the file to its errors.
template <class F>
auto in_file(const std::string& file, F f) {
  try {
    return f();
  } catch (const Error& cause) {
    // It has named its place already, or the place is not the cause.
    if (cause.subject() == file || cause.kind() != ErrorKind::data) throw;
    throw Error(ErrorKind::data, file, cause.subject() + ": " + cause.detail());
  }
}

// mask_takes_space: the mask includes the white space before it.
DefaultRoles roles(std::initializer_list<std::pair<const char*, const char*>> contents, bool mask_takes_space = false) {
  DefaultRoles roles;
  for (const auto& [role, content] : contents) {
    AddedToken token = special_token(0, content);
    token.left_strip = mask_takes_space && std::string_view(role) == "mask_token";
    roles.emplace_back(role, std::move(token));
  }
  return roles;
}

// The id of the token that has a role; `file` is the vocabulary's.
TokenId id_of(const Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const std::string& file,
              const char* role, const char* usual) {
  return in_file(file, [&] { return pipeline.id_of(folder.special(role, usual)); });
}

// One token a line; its number is its id.
Vocabulary read_word_list(std::string_view text, const std::string& file) {
  if (const auto at = find_invalid_utf8(text))
    throw Error(
        ErrorKind::data, file,
        "line " + std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*at), '\n')) +
            " is not UTF-8");
  Vocabulary vocabulary;
  vocabulary.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1, text.size());
  TokenId id = 0;
  for (std::size_t begin = 0; begin < text.size(); ++id) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view token = text.substr(begin, end - begin);
    if (!token.empty() && token.back() == '\r') token.remove_suffix(1);
    try {
      vocabulary.add(token, id);
    } catch (const Error& error) {
      throw Error(ErrorKind::data, file,
                  "line " + std::to_string(id + 1) + ": " + error.subject() + ": " + error.detail());
    }
    begin = end + 1;
  }
  return vocabulary;
}

std::shared_ptr<Tokenizer::Pipeline> from_word_list(const TokenizerFolder& folder, std::string_view text) {
  const JsonNode& settings = folder.settings;
  auto pipeline = std::make_shared<Tokenizer::Pipeline>();
  BertNormalization normalization;
  normalization.lowercase = settings.flag("do_lower_case", true);
  normalization.space_out_ideographs = settings.flag("tokenize_chinese_chars", true);
  normalization.strip_accents = settings.flag("strip_accents", normalization.lowercase);
  pipeline->normalizer = bert_normalizer(normalization);
  pipeline->pre_tokenizer = bert_pre_tokenizer();
  WordPieceOptions options;
  options.unknown_token = folder.special("unk_token", "[UNK]");
  const std::string file = folder.file("vocab.txt");
  in_file(file, [&] { pipeline->model = word_piece_model(read_word_list(text, file), options); });
  pipeline->decoder = word_piece_decoder(options.continuing_prefix, true);
  add_special_tokens(*pipeline, folder,
                     roles({{"pad_token", "[PAD]"},
                            {"unk_token", "[UNK]"},
                            {"cls_token", "[CLS]"},
                            {"sep_token", "[SEP]"},
                            {"mask_token", "[MASK]"}}));
  const TokenId cls = id_of(*pipeline, folder, file, "cls_token", "[CLS]"),
                sep = id_of(*pipeline, folder, file, "sep_token", "[SEP]");
  const TemplatePart first{Origin::first, {}, 0}, second{Origin::second, {}, 1};
  const TemplatePart start{Origin::added, {cls}, 0}, end{Origin::added, {sep}, 0},
      end_of_second{Origin::added, {sep}, 1};
  pipeline->post_processor.single = {start, first, end};
  pipeline->post_processor.pair = {start, first, end, second, end_of_second};
  return pipeline;
}

// merges.txt: a comment with the version, then two tokens a line, the first to be merged first.
MergeList read_merges(std::string_view text, const std::string& file) {
  MergeList merges;
  merges.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1, text.size());
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    begin = end + 1;
    ++number;
    if (line.empty() || (number == 1 && line.substr(0, 8) == "#version")) continue;
    if (!merges.add_line(line))
      throw Error(ErrorKind::data, file, "line " + std::to_string(number) + " is not two tokens with a space between");
  }
  return merges;
}

// RoBERTa and BART add tokens around a text, GPT-2 does not. If the family is unknown: a GPT-2 may have these tokens
// too, but few do.
bool is_of_roberta(const TokenizerFolder& folder, const Vocabulary& vocabulary) {
  const std::string word = folder.first_of({"gpt", "roberta", "bart"});
  return word.empty() ? vocabulary.find("<s>") && vocabulary.find("</s>") : word != "gpt";
}

// A token before or after each text, and the default of "add_bos_token" or "add_eos_token".
struct UsualEnd {
  const char* token;
  bool added;
};

void surround_each_text(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const std::string& file,
                        UsualEnd bos, UsualEnd eos) {
  const auto end = [&](const char* role, const UsualEnd& usual) -> std::optional<TokenId> {
    if (!folder.settings.flag(std::string("add_") + role, usual.added) || folder.settings.is_null(role)) return {};
    return id_of(pipeline, folder, file, role, usual.token);
  };
  const std::optional<TokenId> before = end("bos_token", bos), behind = end("eos_token", eos);
  auto& post = pipeline.post_processor;
  post.single.clear();
  post.pair.clear();
  for (const Origin which : {Origin::first, Origin::second}) {
    const TokenId type = which == Origin::first ? 0 : 1;
    if (before) post.pair.push_back({Origin::added, {*before}, type});
    post.pair.push_back({which, {}, type});
    if (behind) post.pair.push_back({Origin::added, {*behind}, type});
    if (which == Origin::first) post.single = post.pair;
  }
}

// Qwen2's pattern: numbers digit by digit, a word with the sign before it (Qwen2Tokenizer of transformers).
constexpr const char* qwen2_pattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|"
    "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

// Sets the pre-tokeniser for vocab.json and merges.txt, which do not contain one.
void set_cuts_of_merges(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, bool prefix_space) {
  if (folder.is("qwen")) {
    pipeline.normalizer = form_normalizer(Form::nfc);
    std::vector<PreTokenizerPtr> steps;
    steps.push_back(split_pre_tokenizer(Pattern::regex(qwen2_pattern, folder.name), Split::isolated, false));
    steps.push_back(byte_level_pre_tokenizer(prefix_space, false));
    pipeline.pre_tokenizer = pre_tokenizer_sequence(std::move(steps));
    return;
  }
  std::string other = folder.first_of({"clip", "deberta", "whisper", "herbert", "blenderbot", "fsmt", "ctrl"});
  for (const char* any : {"pretrainedtokenizerfast", "tokenizersbackend"})  // with no model's name beside it
    if (folder.family() == any) other = any;
  if (!other.empty())
    throw Error(ErrorKind::data, folder.name,
                "has vocab.json and merges.txt of a '" + other + "' tokenizer; they do not define how it splits words",
                "add its tokenizer.json, which AutoTokenizer.from_pretrained(...).save_pretrained(...) writes");
  pipeline.pre_tokenizer = byte_level_pre_tokenizer(prefix_space, true);
}

// vocab.json: an object of ids by token.
Vocabulary read_vocabulary(std::string_view text, const std::string& file) {
  const JsonNode root(text, file);
  const auto entries = root.items();
  Vocabulary vocabulary;
  vocabulary.reserve(entries.size(), text.size());
  for (const auto& [token, id] : entries)
    root.within([&, &name = token, &node = id] { vocabulary.add(name, node.integer()); });
  return vocabulary;
}

std::shared_ptr<Tokenizer::Pipeline> from_merges(const TokenizerFolder& folder, std::string_view vocabulary_text,
                                                 std::string_view merges_text) {
  const std::string file = folder.file("vocab.json");
  Vocabulary vocabulary = read_vocabulary(vocabulary_text, file);
  const auto merges = read_merges(merges_text, folder.file("merges.txt"));
  auto pipeline = std::make_shared<Tokenizer::Pipeline>();
  const bool prefix_space = folder.settings.flag("add_prefix_space", false);
  set_cuts_of_merges(*pipeline, folder, prefix_space);
  in_file(folder.file("merges.txt"), [&] { pipeline->model = bpe_model(std::move(vocabulary), merges, {}); });
  pipeline->decoder = byte_level_decoder();
  if (is_of_roberta(folder, pipeline->model->vocabulary())) {
    add_special_tokens(*pipeline, folder,
                       roles({{"bos_token", "<s>"},
                              {"pad_token", "<pad>"},
                              {"eos_token", "</s>"},
                              {"unk_token", "<unk>"},
                              {"mask_token", "<mask>"}},
                             true));
    const TokenId bos = id_of(*pipeline, folder, file, "cls_token", "<s>"),
                  eos = id_of(*pipeline, folder, file, "sep_token", "</s>");
    const TemplatePart first{Origin::first, {}, 0}, second{Origin::second, {}, 0};
    const TemplatePart start{Origin::added, {bos}, 0}, end{Origin::added, {eos}, 0};
    pipeline->post_processor.single = {start, first, end};
    pipeline->post_processor.pair = {start, first, end, end, second, end};
    if (folder.settings.flag("trim_offsets", true)) pipeline->post_processor.trims = {{prefix_space}};
  } else {
    const char* const end_of_text = "<|endoftext|>";
    add_special_tokens(*pipeline, folder,
                       roles({{"bos_token", end_of_text}, {"eos_token", end_of_text}, {"unk_token", end_of_text}}));
    surround_each_text(*pipeline, folder, file, {end_of_text, false}, {end_of_text, false});
  }
  return pipeline;
}

// Normalisation of XLNet and ALBERT before sentencepiece: plain quotation marks, and letters without accents or
// capitals if the settings say so. keep_accents is obeyed as in transformers 4; transformers 5 ignores it for XLNet.
NormalizerPtr plain_letters(const JsonNode& settings, bool usually_lower) {
  std::vector<NormalizerPtr> steps;
  for (const char* mark : {"``", "''"}) steps.push_back(replace_normalizer(Pattern::literal(mark), "\""));
  if (!settings.flag("keep_accents", false)) {
    steps.push_back(form_normalizer(Form::nfkd));
    steps.push_back(strip_accents_normalizer());
  }
  if (settings.flag("do_lower_case", usually_lower)) steps.push_back(lowercase_normalizer());
  return normalizer_sequence(std::move(steps));
}

// T5's <extra_id_0>, ... after the pieces, the last first: the given number, or 100 if the model has rows for them;
// none if "added_tokens_decoder" lists them.
void add_sentinels(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, bool usual) {
  if (folder.settings.has("added_tokens_decoder")) return;
  const std::int64_t otherwise = usual && folder.has_room(pipeline, 100) ? 100 : 0;
  const auto count = static_cast<TokenId>(folder.settings.integer("extra_ids", 0, 100000, otherwise));
  const auto end = static_cast<TokenId>(pipeline.vocabulary_size()) + count;
  for (TokenId i = 0; i < count; ++i) pipeline.add(special_token(end - 1 - i, "<extra_id_" + std::to_string(i) + ">"));
}

// Whose the pieces are.
enum class Family { t5, xlnet, albert, llama };

// As the folder says.
std::optional<Family> family_of(const TokenizerFolder& folder) {
  const std::string word = folder.first_of({"xlnet", "albert", "llama", "t5"});
  if (word.empty()) return std::nullopt;
  return word == "xlnet"    ? Family::xlnet
         : word == "albert" ? Family::albert
         : word == "llama"  ? Family::llama
                            : Family::t5;
}

// Where it does not: as the pieces look. T5's end is that of Marian and Pegasus too.
Family family_of(const Vocabulary& pieces) {
  const auto has = [&](const char* token) { return pieces.find(token).has_value(); };
  return has("<sep>") && has("<cls>") ? Family::xlnet : has("[CLS]") && has("[SEP]") ? Family::albert : Family::t5;
}

// The templates are those of the models' own code: T5 (Raffel et al. 2020), XLNet (Yang et al. 2019), ALBERT (Lan et
// al. 2020), Llama (Touvron et al. 2023).
void set_template(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder, const std::string& file,
                  Family family) {
  const auto special = [&](const char* role, const char* usual, TokenId type = 0) {
    return TemplatePart{Origin::added, {id_of(pipeline, folder, file, role, usual)}, type};
  };
  const TemplatePart first{Origin::first, {}, 0}, second{Origin::second, {}, 1};
  auto& post = pipeline.post_processor;
  if (family == Family::xlnet) {
    const TemplatePart sep = special("sep_token", "<sep>"), cls = special("cls_token", "<cls>", 2);
    post.single = {first, sep, cls};
    post.pair = {first, sep, second, special("sep_token", "<sep>", 1), cls};
    pipeline.padding.side = Side::left;
    pipeline.padding.type_id = 3;
  } else if (family == Family::albert) {
    const TemplatePart cls = special("cls_token", "[CLS]"), sep = special("sep_token", "[SEP]");
    post.single = {cls, first, sep};
    post.pair = {cls, first, sep, second, special("sep_token", "[SEP]", 1)};
  } else if (family == Family::llama) {
    surround_each_text(pipeline, folder, file, {"<s>", true}, {"</s>", false});
    pipeline.padding.side = Side::left;
  } else {
    const TemplatePart eos = special("eos_token", "</s>");
    post.single = {first, eos};
    post.pair = {first, eos, {Origin::second, {}, 0}, eos};
  }
}

// Llama's spaces, as sentencepiece and llama.cpp have them: before a text, if the model says so, also one that begins
// with a space; with "legacy" also after a special token. Decoding removes it.
PieceSpaces spaces_of_llama(const JsonNode& settings) {
  using Before = PieceSpaces::Before;
  const bool is_legacy = settings.flag("legacy", false);
  return {!settings.flag("add_prefix_space", true) ? Before::no_part
          : is_legacy                              ? Before::each_part
                                                   : Before::first_part,
          true};
}

DecoderPtr decoder_of_llama(bool has_space) {
  std::vector<DecoderPtr> steps;
  steps.push_back(replace_decoder(Pattern::literal("\u2581"), " "));
  steps.push_back(byte_fallback_decoder());
  steps.push_back(fuse_decoder());
  if (has_space) steps.push_back(strip_decoder(U' ', 1, 0));
  return decoder_sequence(std::move(steps));
}

// XLM-R's ids are those of the pieces and one more, behind four tokens of its own; the mask is the last.
std::shared_ptr<Tokenizer::Pipeline> from_xlm_roberta(const TokenizerFolder& folder, std::string_view model) {
  const std::string file = folder.file("sentencepiece.bpe.model");
  if (!folder.is("xlmroberta") && !folder.is("xlm-roberta"))
    throw Error(ErrorKind::data, file, "is not of a tokenizer of XLM-RoBERTa: how its pieces are numbered is not known",
                "add tokenizer.json, which AutoTokenizer.from_pretrained(...).save_pretrained(...) writes");
  OwnVocabulary own;
  own.shows_unknown = true;
  TokenId id = 0;
  for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"}) own.tokens.add(token, id++);
  const auto pieces = load_pieces(model, file);
  for (int piece = 3; piece < pieces->size(); ++piece) own.tokens.add(std::string(pieces->piece(piece)), id++);
  auto pipeline = sentence_piece_pipeline(model, file, std::move(own));
  pipeline->decoder = metaspace_decoder("\u2581", Prepend::always);
  AddedToken mask = special_token(id, folder.special("mask_token", "<mask>"));
  mask.left_strip = true;
  pipeline->add(mask);
  add_special_tokens(
      *pipeline, folder,
      roles({{"bos_token", "<s>"}, {"pad_token", "<pad>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}}),
      {{mask.content, mask.id}});
  const TemplatePart first{Origin::first, {}, 0}, second{Origin::second, {}, 0};
  const TemplatePart start{Origin::added, {id_of(*pipeline, folder, file, "cls_token", "<s>")}, 0},
      end{Origin::added, {id_of(*pipeline, folder, file, "sep_token", "</s>")}, 0};
  pipeline->post_processor.single = {start, first, end};
  pipeline->post_processor.pair = {start, first, end, end, second, end};
  return pipeline;
}

// Marian: source.spm cuts texts, target.spm answers, and vocab.json has the ids of the pieces of both.
std::shared_ptr<Tokenizer::Pipeline> from_marian(const TokenizerFolder& folder, std::string_view vocabulary,
                                                 std::string_view pieces, const std::string& name) {
  if (folder.settings.flag("separate_vocabs", false))
    throw folder.settings.error("separate_vocabs", "false: two vocabularies are not supported");
  const std::string file = folder.file("vocab.json");
  OwnVocabulary own{read_vocabulary(vocabulary, file)};
  own.unknown = folder.special("unk_token", "<unk>");
  own.is_of_marian = true;
  if (!own.tokens.find(own.unknown)) throw Error(ErrorKind::data, file, "lacks the unknown token " + own.unknown);
  auto pipeline = sentence_piece_pipeline(pieces, folder.file(name), std::move(own));
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  std::vector<DecoderPtr> steps;
  steps.push_back(fuse_decoder());
  steps.push_back(replace_decoder(Pattern::literal("\u2581"), " "));
  steps.push_back(strip_decoder(U' ', all, all));
  pipeline->decoder = decoder_sequence(std::move(steps));
  add_special_tokens(*pipeline, folder, roles({{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}}));
  const TemplatePart first{Origin::first, {}, 0}, second{Origin::second, {}, 0},
      end{Origin::added, {id_of(*pipeline, folder, file, "eos_token", "</s>")}, 0};
  pipeline->post_processor.single = {first, end};
  pipeline->post_processor.pair = {first, second, end};
  return pipeline;
}

// usual: the default family.
std::shared_ptr<Tokenizer::Pipeline> from_sentence_piece(const TokenizerFolder& folder, std::string_view model,
                                                         const std::string& file, std::optional<Family> usual) {
  auto said = family_of(folder);
  if (!said) said = usual;
  const PieceSpaces spaces = said == Family::llama ? spaces_of_llama(folder.settings) : PieceSpaces();
  auto pipeline = sentence_piece_pipeline(model, file, std::nullopt, spaces);
  if (said == Family::xlnet || said == Family::albert)
    pipeline->normalizer = plain_letters(folder.settings, said == Family::albert);
  if (said == Family::xlnet || said == Family::t5) pipeline->decoder = metaspace_decoder("\u2581", Prepend::always);
  if (said == Family::llama)
    pipeline->decoder =
        decoder_of_llama(spaces.before != PieceSpaces::Before::no_part && begins_with_space(model, file));
  add_sentinels(*pipeline, folder, said == Family::t5);
  add_special_tokens(*pipeline, folder,
                     said ? roles({{"unk_token", "<unk>"}, {"mask_token", "<mask>"}}, true) : DefaultRoles());
  set_template(*pipeline, folder, file, said.value_or(family_of(pipeline->model->vocabulary())));
  return pipeline;
}

// tokenizer_config.json speaks last about padding, and it alone knows the mask.
void set_padding_and_mask(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder) {
  pipeline.mask = folder.special("mask_token", "");
  const JsonNode& settings = folder.settings;
  if (const auto side = settings.find("padding_side"))
    pipeline.padding.side = side->choice<Side>({{"left", Side::left}, {"right", Side::right}});
  if (const auto side = settings.find("truncation_side"))
    pipeline.truncation.side = side->choice<Side>({{"left", Side::left}, {"right", Side::right}});
  for (const std::string& token : {folder.special("pad_token", ""), std::string("[PAD]"), std::string("<pad>")}) {
    if (token.empty()) continue;
    const auto added = pipeline.added_ids.find(token);
    const auto id = added != pipeline.added_ids.end() ? added->second : pipeline.model->vocabulary().find(token);
    if (!id) continue;
    pipeline.padding.id = *id;
    return;
  }
}

// As transformers 5 does: byte-pair encoding, which Llama's pieces are too, has the spaces of the text and keeps them.
void set_clean_up(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder) {
  const bool keeps =
      (pipeline.model->is_byte_pair() || folder.is("llama")) &&
      !folder.settings.flag("clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output", false);
  pipeline.cleans_up = !keeps && folder.settings.flag("clean_up_tokenization_spaces", false);
}

// Whether tokens are added around a text is a matter of tokenizer.json, as in transformers 5; others, and transformers
// 4 for some classes, take it from tokenizer_config.json.
void note_ends(Tokenizer::Pipeline& pipeline, const TokenizerFolder& folder) {
  const auto& parts = pipeline.post_processor.single;
  const auto text =
      std::find_if(parts.begin(), parts.end(), [](const TemplatePart& part) { return part.what != Origin::added; });
  const auto disagrees = [&](const char* setting, bool adds) {
    const auto field = folder.settings.find(setting);
    if (!field || folder.settings.is_null(setting) || folder.settings.flag(setting) == adds) return;
    pipeline.notes.push_back(folder.file("tokenizer_config.json") + ": " + setting + " is " +
                             (adds ? "false" : "true") + ", but tokenizer.json " + (adds ? "adds" : "does not add") +
                             " the token, and tokenizer.json counts");
  };
  disagrees("add_bos_token", text != parts.begin());
  disagrees("add_eos_token", text != parts.end() && text + 1 != parts.end());
}

// Types that a model of transformers 5 is not given, by the settings or by the tokenizer's class: all are 0.
void set_types(Tokenizer::Pipeline& pipeline, const JsonNode& settings) {
  constexpr std::string_view without[] = {"TokenizersBackend", "PreTrainedTokenizerFast", "DistilBertTokenizer",
                                          "DistilBertTokenizerFast"};
  const std::vector<std::string> names = settings.texts("model_input_names");
  const std::string kind = settings.text("tokenizer_class", "");
  if (names.empty() ? std::find(std::begin(without), std::end(without), kind) == std::end(without)
                    : std::count(names.begin(), names.end(), "token_type_ids") > 0)
    return;
  for (auto* parts : {&pipeline.post_processor.single, &pipeline.post_processor.pair})
    for (TemplatePart& part : *parts) part.type_id = 0;
  pipeline.padding.type_id = 0;
}

// What transformers obeys and is not done here.
void refuse_others(const TokenizerFolder& folder) {
  const JsonNode& settings = folder.settings;
  if (settings.flag("split_special_tokens", false))
    throw settings.error("split_special_tokens", "false: special tokens in a text are always found");
  if (const auto files = settings.find("fast_tokenizer_files"))
    for (std::size_t i = 0; files->is_array() && i < files->size(); ++i)
      if ((*files)[i].string() != "tokenizer.json")
        throw settings.error("fast_tokenizer_files", "tokenizer.json: versions of it are not chosen from");
}

}  // namespace

Tokenizer load_tokenizer(const ReadFile& read, const std::string& folder_name) {
  const TokenizerFolder folder(read, folder_name);
  // Texts are cut where they are asked to be, not here; what is no number is a damaged file nevertheless.
  if (const auto length = folder.settings.find("model_max_length")) length->number();
  refuse_others(folder);
  std::shared_ptr<Tokenizer::Pipeline> pipeline;
  if (const auto text = read("tokenizer.json")) {
    pipeline = pipeline_from_json(*text, folder.file("tokenizer.json"), [&](nlohmann::json& components) {
      follow_settings(components, folder.settings, folder.family());
    });
    add_special_tokens(*pipeline, folder, {}, pipeline->added_ids, Numbers::vocabulary);
    follow_roles(*pipeline, folder);
    note_ends(*pipeline, folder);
    set_padding_and_mask(*pipeline, folder);
    set_types(*pipeline, folder.settings);
    set_clean_up(*pipeline, folder);
    return Tokenizer(std::move(pipeline));
  }
  const auto words = read("vocab.json"), merges = read("merges.txt");
  if (const auto pieces = read("spiece.model")) {
    pipeline = from_sentence_piece(folder, *pieces, folder.file("spiece.model"), std::nullopt);
  } else if (const auto llama = read("tokenizer.model")) {
    pipeline = from_sentence_piece(folder, *llama, folder.file("tokenizer.model"), Family::llama);
  } else if (const auto numbered = read("sentencepiece.bpe.model")) {
    pipeline = from_xlm_roberta(folder, *numbered);
  } else if (const auto source = read("source.spm"); source && words) {
    pipeline = from_marian(folder, *words, *source, "source.spm");
  } else if (words && merges) {
    pipeline = from_merges(folder, *words, *merges);
  } else if (const auto list = read("vocab.txt")) {
    pipeline = from_word_list(folder, *list);
  } else {
    throw Error(ErrorKind::input, folder_name,
                "has no tokenizer: none of tokenizer.json, spiece.model, tokenizer.model, sentencepiece.bpe.model, "
                "source.spm with vocab.json, vocab.json with merges.txt, vocab.txt");
  }
  set_padding_and_mask(*pipeline, folder);
  set_types(*pipeline, folder.settings);
  set_clean_up(*pipeline, folder);
  return Tokenizer(std::move(pipeline));
}

std::optional<Tokenizer> load_answer_tokenizer(const ReadFile& read, const std::string& folder_name) {
  const TokenizerFolder folder(read, folder_name);
  if (!folder.is("marian") && !read("source.spm")) return std::nullopt;
  const auto words = read("vocab.json"), pieces = read("target.spm");
  if (!words || !pieces)
    throw Error(ErrorKind::input, folder_name, words ? "has no target.spm" : "has no vocab.json",
                "the answers of a Marian are cut by target.spm with vocab.json");
  return Tokenizer(from_marian(folder, *words, *pieces, "target.spm"));
}

}  // namespace attn::text
