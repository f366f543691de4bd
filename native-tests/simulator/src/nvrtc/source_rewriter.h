// Makes C++ for g++ of preprocessed CUDA C++: finds the kernels, and replaces the words that only CUDA knows.
#pragma once
#include <string>
#include <vector>

namespace sim {

struct FoundKernel {
  std::string name;         // qualified
  std::string maxThreads;   // the expression in __launch_bounds__, or "0"
};

struct RewrittenSource {
  std::string text;
  std::vector<FoundKernel> kernels;
  std::vector<std::string> sharedPointers;  // `extern __shared__` arrays outside of functions, now pointers
  std::vector<std::string> errors;          // file(line): error: what a CUDA compiler rejects and g++ would not
};

struct RewriteOptions {
  std::string programName;
  std::string ownFolder;            // where the simulator's headers lie
  bool unmarkedIsDevice = false;    // --device-as-default-execution-space
};

RewrittenSource rewriteSource(const std::string& preprocessed, const RewriteOptions& options);

}  // namespace sim
