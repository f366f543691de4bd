#include "nvrtc/compiler_messages.h"

#include <cctype>
#include <sstream>

namespace sim {
namespace {

size_t digitsEnd(const std::string& line, size_t at) {
  while (at < line.size() && isdigit(static_cast<unsigned char>(line[at]))) at++;
  return at;
}

// file:12:5: becomes file(12):
void placeInBrackets(std::string& line) {
  const size_t colon = line.find(':');
  if (colon == std::string::npos) return;
  const size_t end = digitsEnd(line, colon + 1);
  if (end == colon + 1 || end >= line.size() || line[end] != ':') return;
  const size_t column = digitsEnd(line, end + 1);
  const size_t rest = column > end + 1 && column < line.size() && line[column] == ':' ? column : end;
  line = line.substr(0, colon) + "(" + line.substr(colon + 1, end - colon - 1) + ")" + line.substr(rest);
}

}  // namespace

void cutOut(std::string& text, const std::string& part) {
  std::string result;
  size_t copied = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, copied)) {
    result.append(text, copied, at - copied);
    copied = at + part.size();
  }
  text = result.append(text, copied, std::string::npos);
}

std::string compilerMessages(const std::string& messages, const std::string& programName) {
  std::istringstream lines(messages);
  std::string result;
  size_t errors = 0;
  for (std::string line; std::getline(lines, line);) {
    placeInBrackets(line);
    errors += line.find("error: ") != std::string::npos || line.find("undefined reference") != std::string::npos;
    result += line + "\n";
  }
  return errors > 0 ? result + errorCount(errors, programName) : result;
}

std::string errorCount(size_t errors, const std::string& programName) {
  return std::to_string(errors) + (errors == 1 ? " error" : " errors") + " detected in the compilation of \"" +
         programName + "\".\n";
}

}  // namespace sim
