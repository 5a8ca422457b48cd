#include <attn/models/model_folder.hpp>

#include <attn/core/characters.hpp>
#include <attn/core/error.hpp>
#include <attn/core/export.hpp>
#include <attn/core/memory.hpp>
#include <attn/io/byte_input.hpp>
#include <attn/io/input.hpp>
#include <attn/transformer/generation_config.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace ATTN_API attn {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_text = std::uintmax_t{256} << 20;

constexpr const char* pickle = "is a Python pickle, which runs code when it is read";
constexpr const char* convert_pickle =
    "in its folder run: python3 -c 'import glob, torch, safetensors.torch as s; w = {}; [w.update(torch.load(f, "
    "map_location=\"cpu\", weights_only=True)) for f in glob.glob(\"pytorch_model*.bin\")]; s.save_file({k: "
    "v.clone().contiguous() for k, v in w.items()}, \"model.safetensors\")'";

/// Formats of weights that are not read, by the suffix of the file.
struct Foreign {
  const char* ending;
  const char* what;
  const char* fix;
};
constexpr const char* as_published = "take the folder that it was made from, with config.json and model.safetensors";
constexpr const char* adapter = "is of an adapter, which belongs to a model and is not added here";
constexpr const char* merge_adapter =
    "merge them in Python, with the class of the model in place of AutoModel: m = AutoModel.from_pretrained(MODEL); "
    "PeftModel.from_pretrained(m, FOLDER).merge_and_unload().save_pretrained(NEW), and copy the tokenizer of MODEL; a "
    "copy of a folder with weights of its own runs without the adapter's files";
constexpr Foreign foreign[] = {
    {"consolidated.safetensors", "is a model in its maker's own format, which is not read", as_published},
    {".gguf", "is a GGUF file of llama.cpp, which is not read", as_published},
    {".ggml", "is a GGML file of llama.cpp, which is not read", as_published},
    {".onnx", "is an ONNX file, which is not read", as_published},
    {"tf_model.h5", "is a TensorFlow file, which is not read", as_published},
    {".msgpack", "is a Flax file, which is not read", as_published},
    {".ot", "is a rust-bert file, which is not read", as_published},
    {".ckpt", "is a checkpoint of another program, which is not read", as_published},
    {".pth", "is a file of torch.save, which is not read", as_published},
    {".pt", "is a file of torch.save, which is not read", as_published},
    {".safetensors", "is not called model.safetensors", "if it is the whole model, rename it"},
};

const Foreign* foreign_kind(const std::string& name) {
  for (const Foreign& kind : foreign) {
    const std::string ending = kind.ending;
    if (ends_with(name, ending)) return &kind;
  }
  return nullptr;
}

/// Refuses what a download that was cut short has left: beside the files, where `hf download` keeps what it has so far,
/// or among the blobs of a hub's cache.
void refuse_unfinished(const std::string& folder) {
  for (const std::string& place : {folder, folder + "/.cache/huggingface/download", folder + "/../../blobs"}) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place, ignored)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      for (const char* ending : {".incomplete", ".part", ".partial", ".crdownload", ".aria2"})
        if (ends_with(name, ending))
          throw Error(ErrorKind::input, place + "/" + name, "is of a download that has not ended",
                      "download the model again, with the same command: what is there stays");
  }
}

/// How a model is downloaded: a name of the Hugging Face hub is OWNER/NAME, or NAME alone for old ones.
std::string how_to_download(const std::string& path) {
  constexpr const char* of_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  const std::size_t slash = path.find('/');
  const bool is_name = !path.empty() && path.find_first_not_of(of_names) == path.npos && path.front() != '.' &&
                       path.front() != '/' && slash == path.rfind('/');
  return "hf download " + (is_name ? path + " --local-dir " + path.substr(slash == path.npos ? 0 : slash + 1)
                                   : std::string("OWNER/NAME --local-dir FOLDER"));
}

/// The first file of a format that is not read, in the folder or where Optimum puts ONNX.
[[noreturn]] void refuse_without_weights(const std::string& folder) {
  refuse_unfinished(folder);
  for (const std::string& place : {folder, folder + "/onnx"}) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place, ignored)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    for (const Foreign& kind : foreign)
      for (const std::string& name : names)
        if (foreign_kind(name) == &kind && name.find("-00001-of-") != std::string::npos)
          throw Error(ErrorKind::input, place + "/model.safetensors.index.json", "no such file",
                      "it says which weights are in " + name + " and the files after it");
        else if (foreign_kind(name) == &kind)
          throw Error(ErrorKind::input, place + "/" + name, kind.what, kind.fix);
  }
  throw Error(ErrorKind::input, folder, "holds no weights",
              "model.safetensors, model.safetensors.index.json or model.h5 is expected");
}

/// Refuses the Git LFS pointer of a large file that was not fetched.
void refuse_pointer(const std::string& path, std::string_view start) {
  constexpr std::string_view pointer = "version https://git-lfs.github.com/spec/";
  if (start.substr(0, pointer.size()) == pointer)
    throw Error(ErrorKind::data, path, "is a Git LFS pointer, not the file itself",
                "in its folder run: git lfs pull, or download the file alone");
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::optional<SentenceSettings> sentences_of(const std::string& path) {
  const ModelFolder folder(path);
  return read_sentence_settings([&](const std::string& name) { return folder.read(name); }, folder.path());
}

ModelFolder folder_of(const std::string& path, const std::optional<SentenceSettings>& sentences) {
  const bool is_below = sentences && !sentences->transformer.empty();
  return ModelFolder(is_below ? path + "/" + sentences->transformer : path);
}

bool makes_vectors(const std::optional<SentenceSettings>& sentences) { return sentences && sentences->makes_vectors(); }

VectorStep step_of(const SentenceModule& module, const std::string& folder, DType compute) {
  if (module.path.empty()) return {};
  const std::unique_ptr<Source> source = ModelFolder(folder + "/" + module.path).open_weights();
  const Weights weights(*source);
  if (!module.bias && weights.has("linear.bias"))
    throw Error(ErrorKind::data, weights.subject() + ": linear.bias",
                "has no place in the map that config.json describes");
  if (module.bias) weights.get("linear.bias", {module.outputs}, "out_features of config.json");
  return {Linear::load(weights.scoped("linear"), module.outputs, module.inputs, compute), module.activation};
}

/// A folder that says how vectors are made is for vectors, whatever head its weights have.
ModelDescription described(const Settings& config, const std::string& task,
                           const std::optional<SentenceSettings>& sentences) {
  ModelDescription model = task.empty() ? describe_model(config) : describe_model(config, task);
  if (task.empty() && makes_vectors(sentences) && model.task != Task::embed)
    model = describe_model(config, "feature-extraction");
  if (sentences && sentences->probability && model.task == Task::classify)
    model.head->probability = *sentences->probability;
  return model;
}

}  // namespace

ModelFolder::ModelFolder(const std::string& path) : path_(path) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) return;
  if (const Foreign* kind = foreign_kind(path_); kind != nullptr && is_file(path_) && kind->fix == as_published)
    throw Error(ErrorKind::input, path_, kind->what, kind->fix);
  if (fs::exists(path_, ignored))
    throw Error(ErrorKind::input, path_, "is not a folder", "give the folder that holds config.json");
  throw Error(ErrorKind::input, path_, "no such folder",
              "give the folder that holds config.json; a model of the Hugging Face hub is downloaded first: " +
                  how_to_download(path_));
}

std::string ModelFolder::file(const std::string& name) const { return path_ + "/" + name; }

std::optional<std::string> ModelFolder::read(const std::string& name) const {
  const std::string path = file(name);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error(ErrorKind::input, path, "is a folder, a file is expected");
  if (!is_file(path)) return std::nullopt;
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed && size > largest_text)
    throw Error(ErrorKind::data, path, "has " + std::to_string(size) + " bytes, more than any text of a model");
  memory_account().expect(failed ? 0 : 2 * size, path);  // the text and what is made of it
  std::ifstream stream(path, std::ios::binary);
  std::string content(failed ? 0 : static_cast<std::size_t>(size), '\0');
  if (!stream)
    throw Error(io::kind_of_failed_open(errno), path, std::string("cannot be opened: ") + std::strerror(errno));
  if (!stream.read(content.data(), static_cast<std::streamsize>(content.size())))
    throw Error(ErrorKind::input, path, "cannot be read");
  refuse_pointer(path, content);
  return content;
}

std::string ModelFolder::require(const std::string& name) const {
  std::optional<std::string> content = read(name);
  if (!content) refuse_unfinished(path_);
  if (!content) throw Error(ErrorKind::input, file(name), "no such file", "is " + path_ + " the folder of a model?");
  return std::move(*content);
}

std::vector<std::string> ModelFolder::names(const std::string& below, const std::string& ending) const {
  std::vector<std::string> names;
  std::error_code none;  // then there is no such folder
  for (const auto& entry : fs::directory_iterator(file(below), none))
    if (std::string name = entry.path().filename().string(); ends_with(name, ending))
      names.push_back(name.substr(0, name.size() - ending.size()));
  std::sort(names.begin(), names.end());
  return names;
}

std::unique_ptr<Source> ModelFolder::open_weights() const {
  // transformers adds an adapter to the weights beside it, too.
  for (const char* name : {"adapter_config.json", "adapter_model.safetensors", "adapter_model.bin"})
    if (is_file(file(name))) throw Error(ErrorKind::input, file(name), adapter, merge_adapter);
  const std::string index = file("model.safetensors.index.json");
  for (const char* name : {"model.safetensors", "model.safetensors.index.json", "model.h5"}) {
    const std::string path = file(name);
    if (!is_file(path)) continue;
    std::string start(64, '\0');
    std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
    refuse_pointer(path, start);
    if (path != index) return io::open_source(path);
    try {
      return io::open_shards(index);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::input) refuse_unfinished(path_);
      throw;
    }
  }
  if (is_file(file("pytorch_model.bin")))
    throw Error(ErrorKind::input, file("pytorch_model.bin"), pickle, convert_pickle);
  if (const std::string pickles = file("pytorch_model.bin.index.json"); is_file(pickles))
    throw Error(ErrorKind::input, pickles, "names Python pickles, which run code when they are read", convert_pickle);
  refuse_without_weights(path_);
}

OpenedModel::OpenedModel(const std::string& path, const std::string& task)
    : sentences(sentences_of(path)),
      folder(folder_of(path, sentences)),
      source(folder.open_weights()),
      config(folder.require("config.json"), folder.file("config.json")),
      description(described(config, task, sentences)),
      weights(checked_weights(description, *source)) {}

void OpenedModel::read_generation() {
  const std::size_t vocabulary = description.target->vocabulary;
  expect_known_tokens(config, vocabulary, description.source ? description.source->vocabulary : vocabulary);
  if (const auto text = folder.read("generation_config.json")) {
    const JsonNode fields(*text, folder.file("generation_config.json"));
    expect_cache(fields, description);
    read_generation_config(fields, vocabulary, generation, description.tokens);
  } else {
    expect_cache(config, description);
    read_generation_fields(config, vocabulary, generation);
  }
}

bool OpenedModel::makes_vectors() const {
  const bool by_head = description.head && description.head->is_vector;
  return description.task == Task::embed && (by_head || attn::makes_vectors(sentences));
}

TextTaskParameters OpenedModel::text_parameters(DType compute, std::optional<Pooling> pooling,
                                                const std::string& prompt) const {
  TextTaskParameters parameters;
  TextVectorParameters& vectors = parameters.vectors;
  const bool embeds = attn::makes_vectors(sentences) && description.task == Task::embed;
  const bool compares = sentences && description.task == Task::classify;
  if (embeds || compares) {
    vectors.prompt = prompt_of(*sentences, prompt);
    vectors.is_lower_case = sentences->is_lower_case;
    parameters.max_length = sentences->max_length;
  } else if (!prompt.empty()) {
    throw Error(ErrorKind::usage, "--prompt", "is not read: " + folder.path() + " has no prompts by name",
                "a folder of sentence-transformers has; --prompt-text takes the text itself");
  }
  if (embeds && !sentences->poolings.empty()) vectors.poolings = sentences->poolings;
  if (pooling) vectors.poolings = {*pooling};
  if (!embeds) {
    if (description.head && description.head->has_length_1) vectors.steps.emplace_back();
    return parameters;
  }
  for (const SentenceModule& module : sentences->modules)
    vectors.steps.push_back(step_of(module, sentences->folder, compute));
  vectors.pools_prompt = sentences->pools_prompt;
  return parameters;
}

Model OpenedModel::load(std::optional<DType> dtype) const {
  if (dtype == DType::bf16) return Model(description, *source, *dtype);
  return Model(description, *source, dtype ? compute_dtype(*dtype) : weights.compute_dtype());
}

text::Tokenizer OpenedModel::tokenizer() const {
  return text::load_tokenizer([this](const std::string& name) { return folder.read(name); }, folder.path());
}

text::ChatTemplate chat_template_of(const ModelFolder& folder) {
  return text::load_chat_template([&](const std::string& name) { return folder.read(name); }, folder.path(),
                                  folder.names("additional_chat_templates", ".jinja"));
}

}  // namespace attn
