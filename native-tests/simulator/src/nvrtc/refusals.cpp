#include "nvrtc/refusals.h"

#include <set>

#include "nvrtc/declaration.h"

namespace sim {
namespace {

using Tokens = std::vector<Token>;

bool isCalled(const Tokens& tokens, size_t at) {
  return tokens[at].kind == Token::Kind::Word && at + 1 < tokens.size() && tokens[at + 1].is("(");
}

size_t behindGroup(const Tokens& tokens, size_t open) {
  int depth = 0;
  size_t at = open;
  do {
    depth += tokens[at].is("(") ? 1 : tokens[at].is(")") ? -1 : 0;
  } while (++at < tokens.size() && depth > 0);
  return at;
}

// The positions of the names that are declared with __global__: before the parameters.
std::set<size_t> kernelNames(const Tokens& tokens) {
  std::set<size_t> names;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (!tokens[i].is("__global__")) continue;
    while (i < tokens.size() && !tokens[i].is(";") && !tokens[i].is("{")) {
      if (isCalled(tokens, i) && !isAttributeWord(tokens[i].text)) {
        names.insert(i);
        break;
      }
      i = isCalled(tokens, i) ? behindGroup(tokens, i + 1) : i + 1;
    }
  }
  return names;
}

// A member, a function of some namespace, or a declaration: of that a word stands before the name, but those that begin
// a statement are none.
bool isOther(const Tokens& tokens, size_t at) {
  if (at == 0) return true;
  const Token& before = tokens[at - 1];
  const bool member = before.is(".") || (before.is(">") && at > 1 && tokens[at - 2].is("-"));
  const bool qualified = before.is(":") && at > 1 && tokens[at - 2].is(":");
  const bool begins = before.is("return") || before.is("else") || before.is("do");
  return member || qualified || (before.kind == Token::Kind::Word && !begins) || before.is("*") || before.is("&");
}

bool isAttribute(const Tokens& tokens, size_t at) {
  for (size_t i = at + 1; i-- > 0 && !tokens[i].is(";") && !tokens[i].is("}") && !tokens[i].is("{");) {
    if (tokens[i].is("__attribute__") || (tokens[i].is("[") && tokens[i + 1].is("["))) return true;
  }
  return false;
}

}  // namespace

std::vector<Refusal> refusals(const Tokens& tokens) {
  static const std::set<std::string_view> ofLoading = {"constructor", "destructor", "__constructor__",
                                                       "__destructor__"};
  const std::set<size_t> declared = kernelNames(tokens);
  std::set<std::string_view> kernels;
  for (size_t at : declared) kernels.insert(tokens[at].text);
  std::vector<Refusal> found;
  for (size_t i = 0; i < tokens.size(); i++) {
    const Token& token = tokens[i];
    if (token.is("_Float16")) {
      found.push_back({token.line, "_Float16 is no type of device code"});
    } else if (ofLoading.count(token.text) > 0 && isAttribute(tokens, i)) {
      found.push_back({token.line, "no function can run when a module is loaded or unloaded"});
    } else if (isCalled(tokens, i) && kernels.count(token.text) > 0 && declared.count(i) == 0 &&
               !isOther(tokens, i)) {
      found.push_back({token.line, "a __global__ function call must be configured"});
    }
  }
  return found;
}

}  // namespace sim
