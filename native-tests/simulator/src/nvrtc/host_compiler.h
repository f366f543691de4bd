// Runs g++ (or what CAIRN_SIM_CXX names).
#pragma once
#include <string>
#include <vector>

namespace sim {

struct CompilerRun {
  int exitCode;
  std::string messages;  // what it wrote to its standard error
};

// Never through a shell. 127: it couldn't be started.
CompilerRun runCompiler(const std::vector<std::string>& arguments, const std::string& workFolder);

// The compiler's version and the processor for which it compiles. Both are part of the name under which results are
// kept.
const std::string& compilerIdentity();

// -march for this processor: with fused multiply-add where it has that, as a GPU does.
const char* processorOption();

}  // namespace sim
