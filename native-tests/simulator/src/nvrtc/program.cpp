#include "nvrtc/program.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "device/static_shared.h"
#include "nvrtc/compiler_messages.h"
#include "nvrtc/host_compiler.h"
#include "nvrtc/image_line.h"
#include "nvrtc/module_table.h"
#include "nvrtc/outside_calls.h"
#include "nvrtc/work_folders.h"

namespace sim {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxConstant = 64 << 10;

// A name inside the compilation's own folder, whatever the user calls the program or a header.
std::string inside(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  const bool leaves = path.is_absolute() || path.empty() || *path.begin() == "..";
  std::string flat = name;
  if (leaves) std::replace(flat.begin(), flat.end(), '/', '_');
  const fs::path result = fs::path(folder) / (leaves ? fs::path(flat) : path);
  fs::create_directories(result.parent_path());
  return result.string();
}

// ptxas refuses what no device can have.
std::string tooMuch(const std::string& module) {
  const size_t constants = device::ElfImage(module.data()).sectionBytes("cairn_constant");
  if (constants > kMaxConstant) {
    char text[96];
    snprintf(text, sizeof text, "(0x%zx bytes, 0x%zx max)\n", constants, kMaxConstant);
    return std::string("ptxas error   : File uses too much global constant data ") + text;
  }
  const auto symbols = device::ElfImage(module.data()).symbols();
  for (const device::ElfSymbol& function : symbols) {
    const size_t bytes = function.function ? device::staticSharedBytes(symbols, function.name) : 0;
    if (bytes <= device::kMaxStaticShared) continue;
    char text[64];
    snprintf(text, sizeof text, "(0x%zx bytes, 0x%zx max)\n", bytes, device::kMaxStaticShared);
    return "ptxas error   : Entry function '" + function.name + "' uses too much shared data " + text;
  }
  return "";
}

}  // namespace

Program::Program(std::string source, std::string name, std::vector<std::pair<std::string, std::string>> headers)
    : source_(std::move(source)), name_(name.empty() ? "default_program" : std::move(name)),
      headers_(std::move(headers)) {}

NvrtcResult Program::addNameExpression(const std::string& expression) {
  if (tried_) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  expressions_.push_back(expression);
  return NVRTC_SUCCESS;
}

const std::string* Program::loweredName(const std::string& expression) const {
  const auto found = lowered_.find(expression);
  return found == lowered_.end() ? nullptr : &found->second;
}

NvrtcResult Program::compile(const std::vector<std::string>& given) {
  tried_ = true;
  compiled_ = false;
  log_.clear();
  const CompileOptions options = parseOptions(given);
  if (!options.mistake.empty()) {
    log_ = "nvrtc: error: " + options.mistake + "\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  const NvrtcResult result = build(options, given);
  compiled_ = result == NVRTC_SUCCESS;
  // Whether a module was kept or compiled now, the log is the same.
  if (compiled_) log_.clear();
  return result;
}

NvrtcResult Program::build(const CompileOptions& options, const std::vector<std::string>& given) {
  std::string preprocessed, target;
  // What is included from elsewhere shows only in the preprocessed text; without that, the source alone decides.
  if (!options.readsFolders) target = cachePath(given, "");
  if (target.empty() || access(target.c_str(), R_OK) != 0) {
    const WorkFolder work;
    preprocessed = preprocess(options, work.path());
    if (preprocessed.empty()) return NVRTC_ERROR_COMPILATION;
    if (options.readsFolders) target = cachePath(given, preprocessed);
    if (access(target.c_str(), R_OK) != 0 && !produce(options, preprocessed, work.path(), target)) {
      return NVRTC_ERROR_COMPILATION;
    }
  }
  hasCubin_ = !options.virtualOnly;
  cubin_ = readFile(target);
  ptx_ = kImageLine + target + "\n";
  readLoweredNames(target);
  return NVRTC_SUCCESS;
}

std::string Program::cachePath(const std::vector<std::string>& given, const std::string& preprocessed) const {
  std::string key = name_ + '\0' + source_ + '\0' + compilerIdentity() + '\0' + libraryIdentity() + '\0' +
                    shimFolder() + '\0' + preprocessed;
  for (const auto& [name, text] : headers_) key += '\0' + name + '\0' + text;
  for (const std::string& option : given) key += '\0' + option;
  for (const std::string& expression : expressions_) key += '\0' + expression;
  return cacheFolder() + "/" + digest(key) + ".so";
}

std::string Program::preprocess(const CompileOptions& options, const std::string& folder) {
  const std::string source = inside(folder + "/source", name_), target = folder + "/preprocessed.ii";
  writeFile(source, source_);
  const std::string macros = folder + "/macros.h";
  writeFile(macros, options.macros);
  for (const auto& [name, text] : headers_) writeFile(inside(folder + "/headers", name), text);
  std::vector<std::string> arguments = {"-E", "-x", "c++", options.standard, "-nostdinc", "-fdiagnostics-color=never",
                                        "-fno-diagnostics-show-caret", "-I" + folder + "/headers",
                                        "-I" + shimFolder(),
                                        "-D__CUDA_ARCH__=" + std::to_string(options.architecture), "-include",
                                        "cairn_device.h", "-include", macros};
  if (options.fastMath) arguments.push_back("-D__USE_FAST_MATH__=1");
  arguments.insert(arguments.end(), options.preprocessor.begin(), options.preprocessor.end());
  arguments.insert(arguments.end(), {source, "-o", target});
  const CompilerRun run = runCompiler(arguments, folder);
  logCompiler(run.messages, folder);
  // The folder's name, which changes each time, is left out: then the text tells whether it was compiled before.
  std::string text = run.exitCode == 0 ? readFile(target) : "";
  for (const char* part : {"/source/", "/headers/", "/"}) cutOut(text, folder + part);
  return text;
}

bool Program::produce(const CompileOptions& options, const std::string& preprocessed, const std::string& folder,
                      const std::string& target) {
  const RewrittenSource source = rewriteSource(preprocessed, {name_, shimFolder(), options.unmarkedIsDevice});
  if (!source.errors.empty()) {
    for (const std::string& error : source.errors) log_ += error + "\n";
    log_ += errorCount(source.errors.size(), name_);
    return false;
  }
  const std::string input = folder + "/kernels.ii", output = folder + "/kernels.so";
  writeFile(input, source.text + moduleTable(source, expressions_));
  // Most kernels run for less time than g++ takes to optimise them further; the second option is what fuses products
  // and sums.
  const CompilerRun run = runCompiler(
      {"-x", "c++-cpp-output", options.standard, "-O1", "-fexpensive-optimizations", processorOption(),
       options.fusesMultiplyAdd ? "-ffp-contract=fast" : "-ffp-contract=off", "-fPIC", "-shared", "-fno-exceptions",
       "-fno-rtti", "-fno-strict-aliasing", "-fwrapv", "-fno-math-errno", "-fno-trapping-math",
       "-fno-semantic-interposition", "-fno-gnu-unique", "-fno-threadsafe-statics", "-fvisibility=hidden",
       "-fsanitize=bounds,alignment", "-fno-sanitize-recover=all", "-Werror=vla", "-Wno-attributes", "-Wno-narrowing", "-Werror=deprecated-declarations",
       "-fno-diagnostics-show-caret", "-fdiagnostics-color=never", "-nostdlib", "-Wl,-Bsymbolic",
       "-Wl,-z,defs", "-Wl,-z,now", input, "-o", output, "-lm", "-lc", "-lgcc"},
      folder);
  logCompiler(run.messages, folder);
  if (run.exitCode != 0) return false;
  const std::string module = readFile(output);
  const std::string refused = tooMuch(module) + outsideCalls(module);
  if (!refused.empty()) {
    log_ += refused;
    return false;
  }
  fs::rename(output, target);
  return true;
}

void Program::logCompiler(const std::string& messages, const std::string& folder) {
  std::string text = messages;
  for (const char* part : {"/source/", "/headers/", "/"}) cutOut(text, folder + part);
  log_ += compilerMessages(text, name_);
}

// The compiler decides what a kernel is called; the loader can tell.
void Program::readLoweredNames(const std::string& module) {
  if (expressions_.empty()) return;
  void* handle = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return;
  const auto* named = static_cast<const void* const*>(dlsym(handle, kNamedSymbol));
  for (size_t i = 0; named != nullptr && i < expressions_.size(); i++) {
    Dl_info info;
    if (dladdr(named[i], &info) != 0 && info.dli_sname != nullptr) lowered_[expressions_[i]] = info.dli_sname;
  }
  dlclose(handle);
}

}  // namespace sim
