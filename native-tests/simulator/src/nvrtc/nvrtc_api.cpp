// The exported functions of libnvrtc.so.12.
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "nvrtc/program.h"

#define API extern "C" __attribute__((visibility("default")))

using sim::NvrtcResult;
using sim::Program;

namespace {

// No exception leaves the library.
template <class Work>
NvrtcResult guarded(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return sim::NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    fprintf(stderr, "cairn simulator: NVRTC: %s\n", e.what());
    return sim::NVRTC_ERROR_INTERNAL_ERROR;
  }
}

NvrtcResult sizeOf(const Program* program, const std::string& text, bool exists, size_t extra, size_t* size) {
  if (program == nullptr) return sim::NVRTC_ERROR_INVALID_PROGRAM;
  if (size == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
  if (!exists) return sim::NVRTC_ERROR_INVALID_PROGRAM;
  *size = text.size() + extra;
  return sim::NVRTC_SUCCESS;
}

NvrtcResult copyOf(const Program* program, const std::string& text, bool exists, size_t extra, char* target) {
  if (program == nullptr) return sim::NVRTC_ERROR_INVALID_PROGRAM;
  if (target == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
  if (!exists) return sim::NVRTC_ERROR_INVALID_PROGRAM;
  memcpy(target, text.c_str(), text.size() + extra);
  return sim::NVRTC_SUCCESS;
}

const std::string kNothing;

}  // namespace

API NvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 6;
  return sim::NVRTC_SUCCESS;
}

API NvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(sim::architectures().size());
  return sim::NVRTC_SUCCESS;
}

API NvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
  for (int known : sim::architectures()) *architectures++ = known;
  return sim::NVRTC_SUCCESS;
}

API const char* nvrtcGetErrorString(NvrtcResult result) {
  static const char* const names[] = {
      "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
      "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
      "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"};
  const auto index = static_cast<size_t>(result);
  return index < sizeof names / sizeof *names ? names[index] : "NVRTC_ERROR unknown";
}

API NvrtcResult nvrtcCreateProgram(Program** program, const char* source, const char* name, int headerCount,
                                   const char* const* headers, const char* const* includeNames) {
  return guarded([&] {
    const bool headersGiven = headerCount == 0 || (headers != nullptr && includeNames != nullptr);
    if (program == nullptr || source == nullptr || headerCount < 0 || !headersGiven) {
      return sim::NVRTC_ERROR_INVALID_INPUT;
    }
    std::vector<std::pair<std::string, std::string>> texts;
    for (int i = 0; i < headerCount; i++) texts.emplace_back(includeNames[i], headers[i]);
    *program = new Program(source, name == nullptr ? "" : name, std::move(texts));
    return sim::NVRTC_SUCCESS;
  });
}

API NvrtcResult nvrtcDestroyProgram(Program** program) {
  if (program == nullptr || *program == nullptr) return sim::NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return sim::NVRTC_SUCCESS;
}

API NvrtcResult nvrtcAddNameExpression(Program* program, const char* expression) {
  return guarded([&] {
    if (program == nullptr) return sim::NVRTC_ERROR_INVALID_PROGRAM;
    if (expression == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
    return program->addNameExpression(expression);
  });
}

API NvrtcResult nvrtcCompileProgram(Program* program, int optionCount, const char* const* options) {
  return guarded([&] {
    if (program == nullptr) return sim::NVRTC_ERROR_INVALID_PROGRAM;
    if (optionCount < 0 || (optionCount > 0 && options == nullptr)) return sim::NVRTC_ERROR_INVALID_INPUT;
    return program->compile(std::vector<std::string>(options, options + optionCount));
  });
}

API NvrtcResult nvrtcGetLoweredName(Program* program, const char* expression, const char** lowered) {
  if (program == nullptr) return sim::NVRTC_ERROR_INVALID_PROGRAM;
  if (expression == nullptr || lowered == nullptr) return sim::NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled()) return sim::NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const std::string* name = program->loweredName(expression);
  if (name == nullptr) return sim::NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *lowered = name->c_str();
  return sim::NVRTC_SUCCESS;
}

API NvrtcResult nvrtcGetPTXSize(Program* program, size_t* size) {
  return sizeOf(program, program ? program->ptx() : kNothing, program && program->compiled(), 1, size);
}
API NvrtcResult nvrtcGetPTX(Program* program, char* text) {
  return copyOf(program, program ? program->ptx() : kNothing, program && program->compiled(), 1, text);
}

// For a virtual architecture there is no image, and its size is 0.
API NvrtcResult nvrtcGetCUBINSize(Program* program, size_t* size) {
  const bool has = program && program->hasCubin();
  return sizeOf(program, has ? program->cubin() : kNothing, program && program->compiled(), 0, size);
}
API NvrtcResult nvrtcGetCUBIN(Program* program, char* image) {
  return copyOf(program, program ? program->cubin() : kNothing, program && program->compiled() && program->hasCubin(),
                0, image);
}

API NvrtcResult nvrtcGetProgramLogSize(Program* program, size_t* size) {
  return sizeOf(program, program ? program->log() : kNothing, program != nullptr, 1, size);
}
API NvrtcResult nvrtcGetProgramLog(Program* program, char* text) {
  return copyOf(program, program ? program->log() : kNothing, program != nullptr, 1, text);
}

// Forms of intermediate code that the simulator has none of.
#define NO_FORM(name) \
  API NvrtcResult name##Size(Program*, size_t*) { return sim::NVRTC_ERROR_INVALID_PROGRAM; } \
  API NvrtcResult name(Program*, char*) { return sim::NVRTC_ERROR_INVALID_PROGRAM; }
NO_FORM(nvrtcGetLTOIR)
NO_FORM(nvrtcGetNVVM)
NO_FORM(nvrtcGetOptiXIR)
