// g++'s messages in the form of NVRTC's log.
#pragma once
#include <string>
#include <vector>

namespace sim {

// Folders of the compilation are cut off; a count of errors comes last when there are any.
std::string compilerMessages(const std::string& messages, const std::vector<std::string>& folders,
                             const std::string& programName);

std::string errorCount(size_t errors, const std::string& programName);

}  // namespace sim
