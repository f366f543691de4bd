// g++'s messages in the form of NVRTC's log.
#pragma once
#include <string>

namespace sim {

// A count of errors comes last when there are any.
std::string compilerMessages(const std::string& messages, const std::string& programName);

// Takes every occurrence of a part out of a text.
void cutOut(std::string& text, const std::string& part);

std::string errorCount(size_t errors, const std::string& programName);

}  // namespace sim
