// NVRTC's options, as far as they mean something here; an unknown one is refused, as NVRTC does.
#pragma once
#include <string>
#include <vector>

namespace sim {

struct CompileOptions {
  std::vector<std::string> preprocessor;   // -I and -include, as g++ takes them
  std::string macros;                      // -D and -U as lines of a source: our own headers come before them
  std::string standard = "-std=c++17";
  int architecture = 520;                  // __CUDA_ARCH__; NVRTC's default is its oldest
  bool virtualOnly = true;                 // compute_XX: there is no CUBIN then
  bool fusesMultiplyAdd = true;
  bool fastMath = false;
  bool unmarkedIsDevice = false;
  bool readsFolders = false;               // an include folder was named: its files are part of the source
  std::string mistake;                     // set when an option is none of NVRTC's
};

CompileOptions parseOptions(const std::vector<std::string>& given);

// The architectures of CUDA 12.6, oldest first.
const std::vector<int>& architectures();

}  // namespace sim
