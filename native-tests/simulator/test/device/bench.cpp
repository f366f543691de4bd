#include "bench.h"

#include <sys/mman.h>

#include <cstdlib>
#include <fstream>
#include <map>

extern "C" {
int nvrtcCreateProgram(void**, const char*, const char*, int, const char* const*, const char* const*);
int nvrtcDestroyProgram(void**);
int nvrtcAddNameExpression(void*, const char*);
int nvrtcGetLoweredName(void*, const char*, const char**);
int nvrtcCompileProgram(void*, int, const char* const*);
int nvrtcGetProgramLogSize(void*, size_t*);
int nvrtcGetProgramLog(void*, char*);
int nvrtcGetPTXSize(void*, size_t*);
int nvrtcGetPTX(void*, char*);
int nvrtcGetCUBINSize(void*, size_t*);
int nvrtcGetCUBIN(void*, char*);
}

namespace {

constexpr size_t kPage = 4096;
std::map<char*, size_t> allocations;

size_t pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

std::string text(void* program, int (*size)(void*, size_t*), int (*get)(void*, char*)) {
  size_t bytes = 0;
  if (size(program, &bytes) != 0) return "";
  std::string result(bytes, '\0');
  get(program, result.data());
  return result;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& one : texts) result.push_back(one.c_str());
  return result;
}

// For nvcc.sh: every source with what became of it, when CAIRN_TEST_SOURCES names a folder.
void keepSource(const std::string& source, const std::vector<std::string>& options, int code) {
  static int count = 0;
  const char* folder = getenv("CAIRN_TEST_SOURCES");
  if (folder == nullptr || test::contains(source, "differs from nvcc")) return;
  for (const std::string& option : options) {
    if (test::contains(option, "-default-device") || test::contains(option, "-I")) return;
  }
  std::ofstream file(std::string(folder) + "/" + std::to_string(100 + count++) + (code == 0 ? ".good.cu" : ".bad.cu"));
  file << "//";
  for (const std::string& option : options) file << " " << option;
  file << "\n" << source;
}

}  // namespace

namespace sim {

void eachAllocation(const std::function<void(char*, size_t)>& visit) {
  for (const auto& [address, bytes] : allocations) visit(address, bytes);
}

std::string describeAddress(const void* address) {
  char text[32];
  snprintf(text, sizeof text, "%p", address);
  return text;
}

}  // namespace sim

namespace test {

Compiled compile(const std::string& source, const std::vector<std::string>& options,
                 const std::vector<std::string>& names,
                 const std::vector<std::pair<std::string, std::string>>& headers) {
  std::vector<const char*> headerTexts, headerNames;
  for (const auto& [name, content] : headers) {
    headerNames.push_back(name.c_str());
    headerTexts.push_back(content.c_str());
  }
  void* program = nullptr;
  nvrtcCreateProgram(&program, source.c_str(), "test.cu", static_cast<int>(headers.size()), headerTexts.data(),
                     headerNames.data());
  for (const std::string& name : names) nvrtcAddNameExpression(program, name.c_str());
  Compiled result;
  result.code = nvrtcCompileProgram(program, static_cast<int>(options.size()), pointers(options).data());
  result.log = text(program, nvrtcGetProgramLogSize, nvrtcGetProgramLog);
  result.ptx = text(program, nvrtcGetPTXSize, nvrtcGetPTX);
  result.cubin = text(program, nvrtcGetCUBINSize, nvrtcGetCUBIN);
  for (const std::string& name : names) {
    const char* lowered = nullptr;
    nvrtcGetLoweredName(program, name.c_str(), &lowered);
    result.lowered.push_back(lowered == nullptr ? "" : lowered);
  }
  nvrtcDestroyProgram(&program);
  if (headers.empty() && result.code != 5) keepSource(source, options, result.code);
  return result;
}

std::unique_ptr<sim::Module> load(const std::string& source, const std::vector<std::string>& options) {
  const Compiled compiled = compile(source, options);
  CHECK_SAYS(compiled.code == 0, compiled.log);
  if (compiled.code != 0) return nullptr;
  sim::Fault fault;
  auto module = sim::loadModule(compiled.cubin.data(), fault);
  CHECK_SAYS(module != nullptr, fault.message);
  return module;
}

char* allocate(size_t bytes) {
  auto* mapped = static_cast<char*>(
      mmap(nullptr, pages(bytes) + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(mapped + pages(bytes), kPage, PROT_NONE);
  char* memory = mapped + (pages(bytes) - bytes) / 16 * 16;
  allocations[memory] = bytes;
  return memory;
}

void release(char* memory) {
  const size_t bytes = allocations[memory];
  allocations.erase(memory);
  munmap(memory - (pages(bytes) - bytes) / 16 * 16, pages(bytes) + kPage);
}

std::string order() {
  const char* given = getenv("CAIRN_SIM_ORDER");
  return given == nullptr ? "forward" : given;
}

}  // namespace test

int main(int count, char** arguments) { return test::runAll(count > 1 ? arguments[1] : nullptr); }
