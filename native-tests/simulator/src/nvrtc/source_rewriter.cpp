#include "nvrtc/source_rewriter.h"

#include <algorithm>
#include <cstddef>

#include "device/static_shared.h"
#include "nvrtc/declaration.h"
#include "nvrtc/refusals.h"

namespace sim {
namespace {

// A variable that the driver can find by name.
constexpr const char* kVisible = "__attribute__((visibility(\"default\"))) __constinit";
constexpr const char* kConstant = "__attribute__((visibility(\"default\"), section(\"cairn_constant\"))) __constinit";
constexpr const char* kKernel = "__attribute__((visibility(\"default\"), noinline))";
constexpr const char* kHostVariable =
    "__attribute__((deprecated(\"a variable of the host is undefined in device code\"))) ";
// The compiler then objects to every call that remains; noinline lets no call disappear into its caller.
constexpr const char* kHostOnly =
    "__attribute__((noinline, error(\"calling a __host__ function from device code is not allowed\"))) ";

class SourceRewriter {
 public:
  SourceRewriter(const std::string& source, const RewriteOptions& options)
      : source_(source), options_(options), tokens_(tokenize(source, options.ownFolder)) {}

  RewrittenSource rewrite() {
    for (const Refusal& refusal : refusals(tokens_)) error(refusal.line, refusal.what);
    for (at_ = 0; at_ < tokens_.size(); at_++) {
      if (inCode()) {
        codeToken();
      } else {
        declarationToken();
      }
    }
    applyEdits();
    return std::move(result_);
  }

 private:
  struct Scope {
    Declaration::Opens kind;
    std::string name;
  };
  struct Edit {
    size_t begin, end;
    std::string text;
  };

  bool inCode() const {
    return !scopes_.empty() &&
           (scopes_.back().kind == Declaration::Opens::Function || scopes_.back().kind == Declaration::Opens::Other);
  }

  void error(const Token& token, const std::string& what) { error(token.line, what); }

  void error(int line, const std::string& what) {
    result_.errors.push_back(options_.programName + "(" + std::to_string(line) + "): error: " + what);
  }

  void replace(const Token& token, std::string text) { edits_.push_back({token.begin, token.end, std::move(text)}); }

  // ---- outside of functions

  void declarationToken() {
    const Token& token = tokens_[at_];
    if (token.is("(")) depth_++;
    if (token.is(")")) depth_--;
    if (depth_ == 0 && token.is("{")) {
      open(declaration_.opens());
    } else if (depth_ == 0 && token.is("}")) {
      if (!scopes_.empty()) scopes_.pop_back();
      declaration_.clear();
    } else if (depth_ == 0 && token.is(";")) {
      finish(false);
      declaration_.clear();
    } else if (token.is(":") && isAccess()) {
      declaration_.clear();
    } else {
      declaration_.add(token);
    }
  }

  bool inClass() const { return !scopes_.empty() && scopes_.back().kind == Declaration::Opens::Class; }

  bool isAccess() const {
    const auto& tokens = declaration_.tokens();
    return tokens.size() == 1 && (tokens[0].is("public") || tokens[0].is("private") || tokens[0].is("protected"));
  }

  void open(Declaration::Opens kind) {
    scopes_.push_back({kind, kind == Declaration::Opens::Namespace ? declaration_.namespaceName() : ""});
    if (kind == Declaration::Opens::Function) finish(true);
    // An initializer's braces are followed by the rest of its declaration.
    if (kind != Declaration::Opens::Other) declaration_.clear();
    statement_ = at_ + 1;
  }

  void finish(bool defined) {
    if (declaration_.empty()) return;
    const bool function = declaration_.isFunction();
    const bool global = declaration_.has("__global__");
    if (global) kernel(defined);
    const bool marked = global || declaration_.has("__device__") || declaration_.has("__constant__") ||
                        declaration_.has("__managed__");
    if (defined && function && !marked && !options_.unmarkedIsDevice && !declaration_.isQualified()) hostFunction();
    if (declaration_.has("__shared__")) {
      sharedOutside();
      return;
    }
    if (!marked && !function && declaration_.isHostVariable() && !inClass()) {
      edits_.push_back({declaration_.specifiersBegin(), declaration_.specifiersBegin(), kHostVariable});
    }
    for (const Token& token : declaration_.tokens()) qualifier(token, function);
    removeLaunchBounds(declaration_.tokens());
  }

  void qualifier(const Token& token, bool function) {
    if (token.is("__global__")) replace(token, kKernel);
    const bool constant = token.is("__constant__");
    if (constant || token.is("__device__")) {
      // Written with both words a variable gets what the first one brings.
      const bool second = token.is("__device__") && declaration_.has("__constant__");
      replace(token, function || second ? "" : constant ? kConstant : kVisible);
    }
    if (token.is("__host__") || token.is("__grid_constant__")) replace(token, "");
    if (token.is("__managed__")) error(token, "__managed__ variables are not simulated");
  }

  void removeLaunchBounds(const std::vector<Token>& tokens) {
    for (size_t i = 0; i + 1 < tokens.size(); i++) {
      if (!tokens[i].is("__launch_bounds__") || !tokens[i + 1].is("(")) continue;
      int depth = 0;
      size_t k = i + 1;
      do {
        depth += tokens[k].is("(") ? 1 : tokens[k].is(")") ? -1 : 0;
      } while (depth > 0 && ++k < tokens.size());
      edits_.push_back({tokens[i].begin, tokens[std::min(k, tokens.size() - 1)].end, ""});
    }
  }

  void kernel(bool defined) {
    const auto& tokens = declaration_.tokens();
    if (!declaration_.returnsVoid()) error(tokens[0], "a __global__ function must have a void return type");
    if (defined && scopes_.size() > 1 && scopes_[scopes_.size() - 2].kind == Declaration::Opens::Class) {
      error(tokens[0], "a __global__ function can't be a member function");
    }
    const bool instantiation = tokens[0].is("template") && !declaration_.isTemplate();
    if (declaration_.isTemplate() || !(defined || instantiation)) return;
    std::string name;
    for (const Scope& scope : scopes_) {
      if (scope.kind == Declaration::Opens::Class) return;
      if (!scope.name.empty()) name += scope.name + "::";
    }
    result_.kernels.push_back({name + declaration_.kernelName(), declaration_.launchBound()});
  }

  void hostFunction() {
    const bool member = scopes_.size() > 1 && scopes_[scopes_.size() - 2].kind == Declaration::Opens::Class;
    const bool alone = !member && !declaration_.isTemplate() && !declaration_.has("static") &&
                       !declaration_.has("inline") && !declaration_.has("constexpr");
    // An inline function that is not called is not compiled, and may call other host functions.
    edits_.push_back({declaration_.specifiersBegin(), declaration_.specifiersBegin(),
                      std::string(alone ? "inline " : "") + kHostOnly});
  }

  // ---- shared memory

  void sharedOutside() {
    std::string name;
    for (const Scope& scope : scopes_) {
      if (!scope.name.empty()) name += scope.name + "::";
    }
    const std::string array = shared(declaration_.tokens(), true);
    if (!array.empty()) result_.sharedPointers.push_back(name + array);
  }

  // Rewrites one declaration of shared memory; the name of the array when it is `extern`.
  std::string shared(const std::vector<Token>& tokens, bool outside) {
    const auto word = [&](std::string_view text) {
      return std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) { return token.is(text); });
    };
    if (word("extern") != tokens.end()) return dynamicShared(tokens, outside);
    if (isInitialized(tokens)) error(tokens[0], "initializer not allowed for __shared__ variable");
    replace(*word("__shared__"), word("static") == tokens.end() ? "static __thread" : "__thread");
    return "";
  }

  // Braces may also be those of a type that is declared on the way.
  static bool isInitialized(const std::vector<Token>& tokens) {
    const auto opensType = [&](size_t i) { return tokens[i].is("struct") || tokens[i].is("union"); };
    int depth = 0;
    for (size_t i = 0; i < tokens.size(); i++) {
      if (tokens[i].is("}")) depth--;
      if (depth == 0 && tokens[i].is("=")) return true;
      if (!tokens[i].is("{")) continue;
      const bool type = i > 0 && (opensType(i - 1) || (i > 1 && opensType(i - 2)));
      if (depth++ == 0 && !type) return true;
    }
    return false;
  }

  // `extern __shared__ T name[][N]` becomes a pointer to where the block's dynamic shared memory begins.
  std::string dynamicShared(const std::vector<Token>& tokens, bool outside) {
    size_t bracket = 0;
    while (bracket < tokens.size() && !tokens[bracket].is("[")) bracket++;
    const bool unsized = bracket > 0 && bracket + 1 < tokens.size() && tokens[bracket + 1].is("]");
    if (!unsized) {
      error(tokens[0], "extern __shared__ memory must be an array without a size");
      return "";
    }
    std::string type;
    for (size_t i = 0; i + 1 < bracket; i++) {
      if (isAttributeWord(tokens[i].text)) {
        int depth = 0;
        do {
          i++;
          depth += tokens[i].is("(") ? 1 : tokens[i].is(")") ? -1 : 0;
        } while (depth > 0 && i + 2 < bracket);
        continue;
      }
      if (!tokens[i].is("extern") && !tokens[i].is("__shared__")) type += std::string(tokens[i].text) + " ";
    }
    const std::string name(tokens[bracket - 1].text);
    const std::string sizes = source_.substr(tokens[bracket + 1].end, tokens.back().end - tokens[bracket + 1].end);
    const std::string text =
        outside ? "static __thread " + type + "(*" + name + ")" + sizes + " asm(\"" + device::kSharedPointer +
                      std::to_string(result_.sharedPointers.size()) + "\")"
                : type + "(*const " + name + ")" + sizes + " = (" + type + "(*)" + sizes +
                      ")cairn_thread->dynamicShared";
    edits_.push_back({tokens[0].begin, tokens.back().end, text});
    return name;
  }

  // ---- inside functions

  void codeToken() {
    const Token& token = tokens_[at_];
    if (token.is("{")) {
      scopes_.push_back({Declaration::Opens::Function, ""});
    } else if (token.is("}")) {
      scopes_.pop_back();
    } else if (token.is("__shared__")) {
      sharedInside();
      return;
    } else if (token.is("__device__") || token.is("__host__")) {
      if (tokens_[at_ - 1].is("]")) error(token, "annotation on lambda requires --extended-lambda");
      replace(token, "");
    } else if (token.is("__constant__") || token.is("__global__")) {
      error(token, std::string(token.text) + " is not allowed inside a function");
    } else if (token.is("asm") || token.is("__asm__")) {
      error(token, "inline PTX can't be simulated");
    }
    if (token.is("{") || token.is("}") || token.is(";")) statement_ = at_ + 1;
  }

  void sharedInside() {
    size_t end = at_;
    for (int depth = 0; end < tokens_.size() && (depth > 0 || !tokens_[end].is(";")); end++) {
      depth += tokens_[end].is("{") ? 1 : tokens_[end].is("}") ? -1 : 0;
    }
    const std::vector<Token> tokens(tokens_.begin() + static_cast<ptrdiff_t>(statement_),
                                    tokens_.begin() + static_cast<ptrdiff_t>(end));
    shared(tokens, false);
    at_ = end;
    statement_ = end + 1;
  }

  void applyEdits() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    size_t copied = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < copied) continue;
      result_.text.append(source_, copied, edit.begin - copied);
      result_.text += edit.text;
      copied = edit.end;
    }
    result_.text.append(source_, copied, std::string::npos);
  }

  const std::string& source_;
  const RewriteOptions& options_;
  std::vector<Token> tokens_;
  size_t at_ = 0, statement_ = 0;
  int depth_ = 0;
  Declaration declaration_;
  std::vector<Scope> scopes_;
  std::vector<Edit> edits_;
  RewrittenSource result_;
};

}  // namespace

RewrittenSource rewriteSource(const std::string& preprocessed, const RewriteOptions& options) {
  return SourceRewriter(preprocessed, options).rewrite();
}

}  // namespace sim
