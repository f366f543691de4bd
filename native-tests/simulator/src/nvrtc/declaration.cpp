#include "nvrtc/declaration.h"

namespace sim {

bool isAttributeWord(std::string_view word) {
  for (const char* known : {"__launch_bounds__", "__attribute__", "alignas", "decltype", "noexcept", "__cluster_dims__",
                            "__maxnreg__", "explicit", "requires"}) {
    if (word == known) return true;
  }
  return false;
}

bool Declaration::has(std::string_view word) const {
  for (const Token& token : tokens_) {
    if (token.is(word)) return true;
  }
  return false;
}

// The index behind the bracket that closes the one at `open`.
size_t Declaration::groupEnd(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < tokens_.size(); i++) {
    const std::string_view text = tokens_[i].text;
    if (text == "(" || text == "[" || text == "{") depth++;
    if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i + 1;
  }
  return tokens_.size();
}

size_t Declaration::skipAttribute(size_t at) const {
  const bool group = at + 1 < tokens_.size() && tokens_[at + 1].is("(");
  return isAttributeWord(tokens_[at].text) && group ? groupEnd(at + 1) : at;
}

size_t Declaration::afterTemplateHeads() const {
  size_t i = 0;
  while (i + 1 < tokens_.size() && tokens_[i].is("template") && tokens_[i + 1].is("<")) {
    int depth = 0;
    for (i++; i < tokens_.size(); i++) {
      if (tokens_[i].is("(")) {
        i = groupEnd(i) - 1;
      } else if (tokens_[i].is("<")) {
        depth++;
      } else if (tokens_[i].is(">") && --depth == 0) {
        i++;
        break;
      }
    }
  }
  return i;
}

// The index of the parenthesis that opens the parameters; the token count when there is none.
size_t Declaration::parameters() const {
  for (size_t i = afterTemplateHeads(); i < tokens_.size();) {
    const size_t behind = skipAttribute(i);
    if (behind != i) {
      i = behind;
      continue;
    }
    const bool isOperator = i > 0 && tokens_[i - 1].is("operator");
    if (tokens_[i].is("(") && !isOperator) return i;
    const bool inOperatorName = isOperator || (i > 1 && tokens_[i - 2].is("operator"));
    if (tokens_[i].is("=") && !inOperatorName) break;
    i++;
  }
  return tokens_.size();
}

Declaration::Opens Declaration::opens() const {
  const size_t begin = afterTemplateHeads();
  if (begin == tokens_.size()) return Opens::Other;
  if (has("namespace")) return Opens::Namespace;
  if (tokens_[begin].is("extern") && tokens_.size() == begin + 2 && tokens_[begin + 1].kind == Token::Kind::Text) {
    return Opens::Linkage;
  }
  if (isFunction()) return Opens::Function;
  for (size_t i = begin; i < tokens_.size(); i++) {
    if (tokens_[i].is("enum") || tokens_[i].is("=")) return Opens::Other;
  }
  return has("struct") || has("class") || has("union") ? Opens::Class : Opens::Other;
}

bool Declaration::isHostVariable() const {
  for (const char* other : {"using", "typedef", "struct", "class", "union", "enum", "namespace", "template", "extern",
                            "static_assert", "friend", "asm", "concept"}) {
    if (has(other)) return false;
  }
  const bool constant = has("const") || has("constexpr");
  return tokens_.size() >= 2 && tokens_[0].kind == Token::Kind::Word && (!constant || has("["));
}

bool Declaration::isTemplate() const { return afterTemplateHeads() > 0; }

std::string Declaration::namespaceName() const {
  std::string name;
  bool after = false;
  for (const Token& token : tokens_) {
    if (after && !token.is("inline")) name += token.text;
    after |= token.is("namespace");
  }
  return name;
}

std::string Declaration::kernelName() const {
  std::string name;
  bool after = false;
  for (size_t i = afterTemplateHeads(); i < parameters(); i++) {
    const size_t behind = skipAttribute(i);
    if (behind != i) {
      i = behind - 1;
      continue;
    }
    const bool qualifier = tokens_[i].is("__global__") || tokens_[i].is("static") || tokens_[i].is("inline") ||
                           tokens_[i].is("__forceinline__");
    if (after && !qualifier) name += (name.empty() ? "" : " ") + std::string(tokens_[i].text);
    after |= tokens_[i].is("void");
  }
  return name;
}

std::string Declaration::launchBound() const {
  for (size_t i = 0; i + 1 < tokens_.size(); i++) {
    if (!tokens_[i].is("__launch_bounds__") || !tokens_[i + 1].is("(")) continue;
    std::string bound;
    int depth = 0;
    for (size_t k = i + 2; k + 1 < groupEnd(i + 1) && !(depth == 0 && tokens_[k].is(",")); k++) {
      depth += tokens_[k].is("(") ? 1 : tokens_[k].is(")") ? -1 : 0;
      bound += std::string(tokens_[k].text) + " ";
    }
    return bound;
  }
  return "0";
}

bool Declaration::isQualified() const {
  const size_t open = parameters();
  for (size_t i = 1; i < open && i + 1 < tokens_.size(); i++) {
    if (tokens_[i].is(":") && tokens_[i - 1].is(":") && i + 2 >= open) return true;
  }
  return false;
}

size_t Declaration::specifiersBegin() const {
  size_t i = afterTemplateHeads();
  if (i + 1 < tokens_.size() && tokens_[i].is("extern") && tokens_[i + 1].kind == Token::Kind::Text) i += 2;
  return i < tokens_.size() ? tokens_[i].begin : tokens_.back().end;
}

}  // namespace sim
