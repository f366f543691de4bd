// One declaration outside of functions, as the tokens up to its semicolon or opening brace.
#pragma once
#include <string>
#include <vector>

#include "nvrtc/tokens.h"

namespace sim {

class Declaration {
 public:
  enum class Opens { Namespace, Linkage, Class, Function, Other };

  void add(const Token& token) { tokens_.push_back(token); }
  void clear() { tokens_.clear(); }
  bool empty() const { return tokens_.empty(); }
  const std::vector<Token>& tokens() const { return tokens_; }

  bool has(std::string_view word) const;

  // What an opening brace after these tokens begins.
  Opens opens() const;

  // Whether it declares a function: it has parentheses of its own before any initializer.
  bool isFunction() const { return parameters() < tokens_.size(); }

  // A variable that device code can't see: neither marked nor a constant number.
  bool isHostVariable() const;

  // A template itself, not an instantiation of one.
  bool isTemplate() const;
  std::string namespaceName() const;

  // Of a kernel: its name as written (with template arguments in an instantiation), what stands in its
  // __launch_bounds__ ("0" without), whether it returns void.
  std::string kernelName() const;
  std::string launchBound() const;
  bool returnsVoid() const { return has("void"); }

  // The name of a function contains ::, so that it was declared elsewhere.
  bool isQualified() const;

  // Where words that belong to the whole declaration may be put in: behind template<...> and extern "C".
  size_t specifiersBegin() const;

 private:
  size_t afterTemplateHeads() const;
  size_t groupEnd(size_t open) const;
  size_t skipAttribute(size_t at) const;
  size_t parameters() const;

  std::vector<Token> tokens_;
};

// Words that are followed by parentheses which are no parameters.
bool isAttributeWord(std::string_view word);

}  // namespace sim
