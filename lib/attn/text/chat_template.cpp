#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/json/node.hpp>
#include <attn/text/chat/interpreter.hpp>
#include <attn/text/chat_template.hpp>

namespace attn::text {

using chat::Value;

struct ChatTemplate::State {
  std::string subject;
  std::map<std::string, std::string> variables;
  chat::Statement program;
};

ChatTemplate::ChatTemplate(const std::string& source, std::string subject,
                           std::map<std::string, std::string> variables) {
  if (find_invalid_utf8(source)) throw Error(ErrorKind::data, subject, "is not UTF-8");
  auto state = std::make_shared<State>(State{std::move(subject), std::move(variables), {}});
  state->program = chat::program_of(source, state->subject);
  state_ = state;
}

std::string ChatTemplate::operator()(const std::string& chat) const {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::data, "chat", what,
                "give [{\"role\": \"user\", \"content\": \"...\"}, ...], or that as "
                "\"messages\" of an object with other variables");
  };
  const auto is_shallow = [](int depth, Value::parse_event_t, Value&) {
    if (depth > static_cast<int>(max_json_depth))
      throw Error(ErrorKind::data, "chat", "is nested deeper than " + std::to_string(max_json_depth) + " levels");
    return true;
  };
  Value given = Value::parse(chat, is_shallow, false);
  if (given.is_discarded()) refuse("is not JSON");
  if (given.is_array()) given = Value{{"messages", given}};
  if (!given.is_object() || !given.contains("messages") || !given["messages"].is_array())
    refuse("has no list of messages");
  for (const Value& message : given["messages"])
    if (!message.is_object()) refuse("has a message that is no object");
  // Templates ask whether strftime_now is defined before they call it.
  std::map<std::string, Value> variables{{"add_generation_prompt", true}, {"strftime_now", true}};
  for (const auto& [name, text] : state_->variables) variables[name] = text;
  for (auto field = given.begin(); field != given.end(); ++field) variables[field.key()] = field.value();
  chat::Context context(std::move(variables), chat.size());
  std::string text;
  state_->program(context, text);
  return text;
}

namespace {

/// The text of a token in tokenizer_config.json: itself, or an object with "content".
std::map<std::string, std::string> token_texts_of(const JsonNode& config) {
  std::map<std::string, std::string> tokens;
  for (const auto& [name, token] : config.items()) {
    if (!ends_with(name, "_token")) continue;
    if (token.is_string()) tokens[name] = token.string();
    if (token.is_object() && token.has("content") && token.at("content").is_string())
      tokens[name] = token.text("content");
  }
  return tokens;
}

/// The field chat_template: a text, or several with names.
std::optional<std::string> source_of(const JsonNode& config) {
  const auto field = config.find("chat_template");
  if (!field) return std::nullopt;
  if (field->is_string()) return field->string();
  for (std::size_t i = 0; field->is_array() && i < field->size(); ++i)
    if (const JsonNode one = (*field)[i]; one.is_object() && one.text("name", "") == "default")
      return one.text("template");
  return std::nullopt;
}

}  // namespace

ChatTemplate load_chat_template(const ReadFile& read, const std::string& folder) {
  const std::string file = folder + "/tokenizer_config.json";
  const JsonNode config(read("tokenizer_config.json").value_or("{}"), file);
  if (!config.is_object()) throw config.mismatch("an object");
  const auto own = read("chat_template.jinja");
  const auto source = own ? own : source_of(config);
  if (!source)
    throw Error(ErrorKind::input, folder,
                "has no chat template: neither chat_template.jinja nor the field "
                "chat_template in tokenizer_config.json",
                "is the model trained for chats?");
  return ChatTemplate(*source, own ? folder + "/chat_template.jinja" : file + ": chat_template",
                      token_texts_of(config));
}

}  // namespace attn::text
