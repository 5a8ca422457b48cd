#include <attn/core/ascii.hpp>
#include <attn/core/error.hpp>
#include <attn/core/utf8.hpp>
#include <attn/text/chat/program.hpp>
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
  Value given = Value::parse(chat, nullptr, false);
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
  chat::Context context(std::move(variables));
  std::string text;
  state_->program(context, text);
  return text;
}

namespace {

/// The text of a token in tokenizer_config.json: itself, or an object with "content".
std::map<std::string, std::string> token_texts_of(const Value& config) {
  std::map<std::string, std::string> tokens;
  for (auto field = config.begin(); field != config.end(); ++field) {
    const std::string& name = field.key();
    const Value& token = field.value();
    if (!ends_with(name, "_token")) continue;
    if (token.is_string()) tokens[name] = token.get<std::string>();
    if (token.is_object() && token.contains("content") && token["content"].is_string())
      tokens[name] = token["content"].get<std::string>();
  }
  return tokens;
}

/// The field chat_template: a text, or several with names.
std::optional<std::string> source_of(const Value& config) {
  if (!config.contains("chat_template")) return std::nullopt;
  const Value& field = config["chat_template"];
  if (field.is_string()) return field.get<std::string>();
  if (!field.is_array()) return std::nullopt;
  for (const Value& one : field)
    if (one.is_object() && one.value("name", Value()) == "default" && one.value("template", Value()).is_string())
      return one["template"].get<std::string>();
  return std::nullopt;
}

}  // namespace

ChatTemplate load_chat_template(const ReadFile& read, const std::string& folder) {
  const std::string file = folder + "/tokenizer_config.json";
  const Value config = Value::parse(read("tokenizer_config.json").value_or("{}"), nullptr, false);
  if (!config.is_object()) throw Error(ErrorKind::data, file, "is not a JSON object");
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
