#include "nvrtc/tokens.h"

#include <cctype>
#include <cstdlib>

namespace sim {
namespace {

bool wordStart(char c) { return isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool wordPart(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

class Tokenizer {
 public:
  Tokenizer(std::string_view source, const std::string& ownFolder) : source_(source), ownFolder_(ownFolder) {}

  std::vector<Token> all() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = source_[at_];
    if (c == '\n') {
      line_++;
      at_++;
      lineStart_ = true;
      return;
    }
    if (isspace(static_cast<unsigned char>(c))) {
      at_++;
      return;
    }
    if (c == '#' && lineStart_) {
      directive();
      return;
    }
    lineStart_ = false;
    const size_t begin = at_;
    const Token::Kind kind = scan(c);
    if (!own_) tokens_.push_back({kind, begin, at_, line_, source_.substr(begin, at_ - begin)});
  }

  Token::Kind scan(char c) {
    if (wordStart(c)) {
      while (at_ < source_.size() && wordPart(source_[at_])) at_++;
      if (at_ >= source_.size() || (source_[at_] != '"' && source_[at_] != '\'')) return Token::Kind::Word;
      // A prefix such as R, u8 or L belongs to the literal that follows it.
      if (source_[at_ - 1] == 'R' && source_[at_] == '"') return rawText();
      return quoted(source_[at_]);
    }
    if (isdigit(static_cast<unsigned char>(c)) || (c == '.' && isdigit(static_cast<unsigned char>(peek(1))))) {
      return number();
    }
    if (c == '"' || c == '\'') return quoted(c);
    at_++;
    return Token::Kind::Mark;
  }

  Token::Kind number() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      const char last = at_ > 0 ? source_[at_ - 1] : ' ';
      const bool sign = (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
      const bool separator = c == '\'' && wordPart(peek(1));
      if (!wordPart(c) && c != '.' && !sign && !separator) break;
      at_++;
    }
    return Token::Kind::Number;
  }

  Token::Kind quoted(char quote) {
    at_++;
    while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n') at_ += source_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, source_.size());
    return Token::Kind::Text;
  }

  Token::Kind rawText() {
    const size_t open = source_.find('(', at_);
    const std::string closing = open == std::string_view::npos
                                    ? std::string("\"")
                                    : ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = source_.find(closing, at_ + 1);
    const size_t stop = end == std::string_view::npos ? source_.size() : end + closing.size();
    for (; at_ < stop; at_++) line_ += source_[at_] == '\n';
    return Token::Kind::Text;
  }

  // A line marker (# 12 "file") says where the following lines come from; pragmas are left as they are.
  void directive() {
    const size_t end = std::min(source_.find('\n', at_), source_.size());
    const std::string text(source_.substr(at_, end - at_));
    at_ = end;
    char* rest = nullptr;
    const long line = strtol(text.c_str() + 1, &rest, 10);
    if (rest == text.c_str() + 1) return;
    line_ = static_cast<int>(line) - 1;
    const size_t open = text.find('"');
    own_ = open != std::string::npos && text.compare(open + 1, ownFolder_.size(), ownFolder_) == 0;
  }

  char peek(size_t ahead) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : ' '; }

  std::string_view source_;
  const std::string& ownFolder_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int line_ = 1;
  bool lineStart_ = true, own_ = false;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source, const std::string& ownFolder) {
  return Tokenizer(source, ownFolder).all();
}

}  // namespace sim
