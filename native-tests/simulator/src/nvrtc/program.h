// One NVRTC program: its source, and after compiling its log and its image.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nvrtc/compile_options.h"

namespace sim {

// NVRTC's result codes.
enum NvrtcResult {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11
};

class Program {
 public:
  Program(std::string source, std::string name, std::vector<std::pair<std::string, std::string>> headers);

  NvrtcResult addNameExpression(const std::string& expression);
  NvrtcResult compile(const std::vector<std::string>& given);

  bool compiled() const { return compiled_; }
  const std::string& log() const { return log_; }
  const std::string& ptx() const { return ptx_; }      // the line that names the module
  const std::string& cubin() const { return cubin_; }  // the module itself
  bool hasCubin() const { return hasCubin_; }
  const std::string* loweredName(const std::string& expression) const;

 private:
  NvrtcResult build(const CompileOptions& options, const std::vector<std::string>& given);
  std::string preprocess(const CompileOptions& options, const std::string& folder);
  bool produce(const CompileOptions& options, const std::string& preprocessed, const std::string& folder,
               const std::string& target);
  std::string cachePath(const std::vector<std::string>& given, const std::string& preprocessed) const;
  void readLoweredNames(const std::string& module);
  void logCompiler(const std::string& messages, const std::string& folder);

  std::string source_, name_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<std::string> expressions_;
  std::map<std::string, std::string> lowered_;
  std::string log_, ptx_, cubin_;
  bool compiled_ = false, hasCubin_ = false, tried_ = false;
};

}  // namespace sim
