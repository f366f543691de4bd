// A preprocessed source as tokens: enough of C++ to find declarations.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct Token {
  enum class Kind { Word, Number, Text, Mark };
  Kind kind;
  size_t begin, end;  // where it lies in the source
  int line;           // in the user's file
  std::string_view text;

  bool is(std::string_view other) const { return text == other; }
};

// The tokens of the user's text; what comes from files below `ownFolder` (the simulator's headers) is left out.
std::vector<Token> tokenize(std::string_view source, const std::string& ownFolder);

}  // namespace sim
