#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/json/node.hpp>
#include <attn/text/chat/interpreter.hpp>
#include <attn/text/chat_template.hpp>
#include <attn/text/files/folder.hpp>

#include <algorithm>
#include <optional>
#include <tuple>

namespace attn::text {

using chat::Value;

namespace {

constexpr const char* form_of_chats =
    "give [{\"role\": \"user\", \"content\": \"...\"}, ...], or that as \"messages\" of an object with other variables";

[[noreturn]] void refuse(const std::string& what, const std::string& fix = form_of_chats) {
  throw Error(ErrorKind::data, "chat", what, fix);
}

struct Program {
  std::string source, subject;
  chat::Statement run;

  Program(std::string text, std::string name) : source(std::move(text)), subject(std::move(name)) {
    if (find_invalid_utf8(source)) throw Error(ErrorKind::data, subject, "is not UTF-8");
    run = chat::program_of(source, subject);
  }
};

/// Takes a variable out of a chat; null if it has none.
Value taken(Value& chat, const char* name) {
  const auto found = chat.find(name);
  if (found == chat.end()) return nullptr;
  Value value = *found;
  chat.erase(name);
  return value;
}

void expect_objects(const Value& list, const char* what, const char* one, const char* fix) {
  if (!list.is_array()) refuse(std::string("has no list of ") + what, fix);
  for (const Value& element : list)
    if (!element.is_object()) refuse(std::string("has ") + one + " that is no object", fix);
}

constexpr const char* names_of_reasoning[] = {"reasoning_content", "thinking", "reasoning"};

/// As transformers gives messages to templates: fields that are null are none, and reasoning has all its names.
void complete(Value& message) {
  Value fields = Value::object();
  for (const char* name : names_of_reasoning)
    if (const auto found = message.find(name); found != message.end() && !found->is_null()) {
      fields["thinking"] = *found;
      break;
    }
  const auto reasoning = fields.find("thinking");
  const Value text = reasoning == fields.end() ? Value() : *reasoning;
  for (auto field = message.begin(); field != message.end(); ++field)
    if (!field->is_null()) fields[field.key()] = *field;
  if (!text.is_null()) fields["reasoning_content"] = text;
  message = std::move(fields);
}

/// An answer that goes on: a mark at its end, which shows where the text is cut.
class Continuation {
 public:
  /// field: of the last message, or true for "content".
  Continuation(const Value& field, Value& messages, const Program& program) {
    const std::string name = field.is_string() ? std::string(chat::text_in(field)) : "content";
    Value& message = messages.back();
    const auto found = message.find(name);
    if (found == message.end()) fail("the last message has no \"" + name + "\"");
    Value* text = &*found;
    if (text->is_array()) {
      const auto has_text = [](const Value& part) { return part.is_object() && part.contains("text"); };
      const auto part = std::find_if(text->rbegin(), text->rend(), has_text);
      if (part == text->rend()) fail("\"" + name + "\" of the last message has no text");
      text = &(*part)["text"];
    }
    if (!text->is_string()) fail("\"" + name + "\" of the last message is no text");
    text_ = chat::text_in(*text);
    std::vector<std::string> fields{name};
    if (const auto all = std::begin(names_of_reasoning);
        std::find(all, std::end(names_of_reasoning), name) != std::end(names_of_reasoning))
      fields.assign(std::begin(names_of_reasoning), std::end(names_of_reasoning));
    bool is_read = false;
    for (const std::string& one : fields) {
      const auto copy = message.find(one);
      if (copy == message.end() || (copy->is_string() && chat::text_in(*copy) != text_)) continue;
      is_read = is_read || program.source.find(one) != std::string::npos;
      if (copy->is_string() && &*copy != text) *copy = text_ + mark;
    }
    if (!is_read) fail("the template does not read \"" + name + "\"");
    *text = text_ + mark;
  }

  std::string operator()(const std::string& text) const {
    const auto stripped = [](const char* how, const std::string& of) {
      return std::string(chat::text_in(chat::method(how, of, {})));
    };
    const std::string word = stripped("rstrip", mark);
    const std::size_t end = text.rfind(word);
    if (end == std::string::npos || text.find(stripped("strip", text_)) == std::string::npos)
      fail("the template leaves a part of the last message out");
    // Where the template removes the blank behind the mark it removes those behind the message.
    return text.compare(end, std::string(mark).size(), mark) == 0 ? text.substr(0, end)
                                                                  : stripped("rstrip", text.substr(0, end));
  }

 private:
  static constexpr const char* mark = "CONTINUE_FINAL_MESSAGE_TAG ";

  [[noreturn]] static void fail(const std::string& why) {
    refuse("has continue_final_message, and " + why, "end with the message that is to be continued");
  }

  std::string text_;
};

}  // namespace

struct ChatTemplate::State {
  std::map<std::string, Program> programs;
  std::map<std::string, std::string> variables;

  /// As transformers chooses it: by its name or its text, or else tool_use where there are tools, or default.
  Program program(const Value& wanted, bool has_tools) const {
    if (wanted.is_string() && wanted.get<std::string>().find('{') != std::string::npos)
      return {wanted.get<std::string>(), "chat: chat_template"};
    const std::string name = wanted.is_string()                            ? wanted.get<std::string>()
                             : has_tools && programs.count("tool_use") > 0 ? "tool_use"
                                                                           : "default";
    const auto found = programs.find(name);
    if (found != programs.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [own, program] : programs) names.push_back(own);
    refuse("asks for the template '" + name + "'; there are: " + listed(names),
           "name one of them as \"chat_template\" of the chat");
  }
};

ChatTemplate::ChatTemplate(const std::string& source, std::string subject, std::map<std::string, std::string> variables)
    : ChatTemplate({{"default", {source, std::move(subject)}}}, std::move(variables)) {}

ChatTemplate::ChatTemplate(const std::map<std::string, Source>& sources, std::map<std::string, std::string> variables) {
  auto state = std::make_shared<State>(State{{}, std::move(variables)});
  for (const auto& [name, source] : sources) state->programs.emplace(name, Program(source.text, source.subject));
  state_ = state;
}

std::string ChatTemplate::operator()(const std::string& chat) const {
  const auto is_shallow = [](int depth, Value::parse_event_t, Value&) {
    if (depth > static_cast<int>(max_json_depth))
      throw Error(ErrorKind::data, "chat", "is nested deeper than " + std::to_string(max_json_depth) + " levels");
    return true;
  };
  Value given = Value::parse(chat, is_shallow, false);
  if (given.is_discarded()) refuse("is not JSON");
  if (given.is_array()) given = Value{{"messages", given}};
  if (!given.is_object()) refuse("has no list of messages");
  Value messages = taken(given, "messages");
  expect_objects(messages, "messages", "a message", form_of_chats);
  if (messages.empty()) refuse("has no message");
  for (const auto& [name, one, fix] :
       {std::tuple("tools", "a tool", "give [{\"type\": \"function\", \"function\": {\"name\": \"...\", ...}}, ...]"),
        std::tuple("documents", "a document", "give [{\"title\": \"...\", \"text\": \"...\"}, ...]")})
    if (given.contains(name) && !given[name].is_null()) expect_objects(given[name], name, one, fix);
  // What else apply_chat_template takes is no variable: it has no effect on the ids, or an option here has it.
  for (const char* name : {"tokenize", "return_dict", "return_tensors"}) taken(given, name);
  for (const char* name : {"padding", "truncation", "max_length", "tokenizer_kwargs", "return_assistant_tokens_mask",
                           "sanitize_control_tokens"})
    if (chat::is_true(taken(given, name)))
      refuse(std::string("has ") + name + ", which apply_chat_template takes and chats do not have here",
             "remove it; --max-length, --truncation-side, --pad-to and --padding-side are options");
  const bool has_tools = given.contains("tools") && !given["tools"].is_null();
  const Program program = state_->program(taken(given, "chat_template"), has_tools);
  const Value field = taken(given, "continue_final_message");
  const bool continues = chat::is_true(field);
  if (continues && given.contains("add_generation_prompt") && chat::is_true(given["add_generation_prompt"]))
    refuse("has both continue_final_message and add_generation_prompt", "remove one of them");
  for (Value& message : messages) complete(message);
  std::optional<Continuation> continuation;
  if (continues) continuation.emplace(field, messages, program);

  std::map<std::string, Value> variables{
      {"add_generation_prompt", !continues}, {"tools", nullptr}, {"documents", nullptr}, {"messages", messages}};
  for (const auto& [name, text] : state_->variables) variables[name] = text;
  for (auto variable = given.begin(); variable != given.end(); ++variable) variables[variable.key()] = variable.value();
  chat::Context context(std::move(variables), chat.size());
  std::string text;
  program.run(context, text);
  return continuation ? (*continuation)(text) : text;
}

namespace {

/// The tokens that a class of transformers has where no file names them.
std::map<std::string, std::string> usual_tokens(const TokenizerFolder& folder) {
  struct Usual {
    const char *word, *bos, *eos, *unk, *pad, *sep = nullptr, *cls = nullptr, *mask = nullptr;
  };
  constexpr const char* end = "<|endoftext|>";
  constexpr Usual classes[] = {{"llama", "<s>", "</s>", "<unk>", nullptr},
                               {"gemma", "<bos>", "<eos>", "<unk>", "<pad>", nullptr, nullptr, "<mask>"},
                               {"roberta", "<s>", "</s>", "<unk>", "<pad>", "</s>", "<s>", "<mask>"},
                               {"bart", "<s>", "</s>", "<unk>", "<pad>", "</s>", "<s>", "<mask>"},
                               {"camembert", "<s>", "</s>", "<unk>", "<pad>", "</s>", "<s>", "<mask>"},
                               {"xlnet", "<s>", "</s>", "<unk>", "<pad>", "<sep>", "<cls>", "<mask>"},
                               {"t5", nullptr, "</s>", "<unk>", "<pad>"},
                               {"cohere", "<BOS_TOKEN>", "<|END_OF_TURN_TOKEN|>", "<UNK>", "<PAD>"},
                               {"qwen", nullptr, end, end, end},
                               {"gpt2", end, end, end, nullptr},
                               {"neox", end, end, end, "<|padding|>"}};
  std::map<std::string, std::string> tokens;
  const std::string own = lower_case(folder.settings.text("tokenizer_class", ""));
  const std::string type = lower_case(folder.model.text("model_type", ""));
  // These name Llama's class, and transformers does not take it. A model of Llama may be of later ones, too.
  for (const char* other : {"mistral", "mixtral", "pixtral", "ministral", "phi3", "deepseek"})
    if (type.find(other) == 0) return {};
  if (own.empty() && type == "llama") return {};
  const std::string name = own.empty() ? type : own;
  for (const Usual& usual : classes) {
    if (name.find(usual.word) == std::string::npos) continue;
    for (const auto& [role, token] :
         {std::pair("bos_token", usual.bos), std::pair("eos_token", usual.eos), std::pair("unk_token", usual.unk),
          std::pair("pad_token", usual.pad), std::pair("sep_token", usual.sep), std::pair("cls_token", usual.cls),
          std::pair("mask_token", usual.mask)})
      if (token != nullptr) tokens[role] = token;
  }
  return tokens;
}

/// The tokens by their roles: "</s>" or an object with "content".
std::map<std::string, std::string> token_texts_of(const TokenizerFolder& folder) {
  std::map<std::string, std::string> tokens = usual_tokens(folder);
  const auto add = [&](const std::string& name, const JsonNode& token) {
    if (token.is_string()) tokens[name] = token.string();
    if (token.is_object() && token.has("content") && token.at("content").is_string())
      tokens[name] = token.text("content");
  };
  for (const JsonNode* names : {&folder.settings, &folder.specials})
    for (const auto& [name, token] : names->items()) {
      if (name == "extra_special_tokens" && token.is_object())
        for (const auto& [own, one] : token.items()) add(own, one);
      if (!ends_with(name, "_token")) continue;
      if (names->is_null(name)) tokens.erase(name);
      add(name, token);
    }
  return tokens;
}

/// The field chat_template: a text, or several with names.
void add_field(const JsonNode& config, const std::string& file, std::map<std::string, ChatTemplate::Source>& sources) {
  const auto field = config.find("chat_template");
  if (!field) return;
  const std::string subject = file + ": chat_template";
  if (field->is_string()) sources["default"] = {field->string(), subject};
  for (std::size_t i = 0; field->is_array() && i < field->size(); ++i) {
    const JsonNode one = (*field)[i];
    const std::string name = one.text("name");
    sources[name] = {one.text("template"), subject + " " + name};
  }
  if (field->is_object())
    for (const auto& [name, source] : field->items()) sources[name] = {source.string(), subject + " " + name};
}

}  // namespace

ChatTemplate load_chat_template(const ReadFile& read, const std::string& name,
                                const std::vector<std::string>& additional) {
  const TokenizerFolder folder(read, name);
  std::map<std::string, ChatTemplate::Source> sources;
  const auto add_file = [&](const std::string& own, const std::string& file) {
    if (const auto text = read(file)) sources[own] = {*text, folder.file(file)};
  };
  add_file("default", "chat_template.jinja");
  for (const std::string& own : additional) add_file(own, "additional_chat_templates/" + own + ".jinja");
  if (sources.empty()) add_field(folder.settings, folder.file("tokenizer_config.json"), sources);
  // Models of pictures and texts have had it there.
  if (sources.empty()) add_field(folder.document("chat_template.json"), folder.file("chat_template.json"), sources);
  if (sources.empty())
    throw Error(ErrorKind::input, name,
                "has no chat template: neither chat_template.jinja nor the field "
                "chat_template in tokenizer_config.json",
                "is the model trained for chats?");
  return ChatTemplate(sources, token_texts_of(folder));
}

}  // namespace attn::text
