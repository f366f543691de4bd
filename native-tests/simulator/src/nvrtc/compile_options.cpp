#include "nvrtc/compile_options.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace sim {
namespace {

// Options that take a value and change nothing here.
const char* const kIgnoredWithValue[] = {
    "--maxrregcount", "-maxrregcount", "--ftz", "-ftz", "--prec-sqrt", "-prec-sqrt", "--prec-div", "-prec-div",
    "--relocatable-device-code", "-rdc", "--ptxas-options", "-Xptxas", "--dopt", "-dopt", "--diag-suppress",
    "-diag-suppress", "--diag-error", "-diag-error", "--diag-warn", "-diag-warn", "--builtin-move-forward",
    "-builtin-move-forward", "--builtin-initializer-list", "-builtin-initializer-list", "--split-compile",
    "-split-compile", "--modify-stack-limit", "-modify-stack-limit", "--optimization-info", "-opt-info", "--time",
    "-time", "--jump-table-density", "-jtd"};

const char* const kIgnored[] = {
    "--device-c", "-dc", "--device-w", "-dw", "--device-debug", "-G", "--generate-line-info", "-lineinfo",
    "--extra-device-vectorization", "-extra-device-vectorization", "--restrict", "-restrict", "--disable-warnings",
    "-w", "--display-error-number", "-err-no", "--no-display-error-number", "-no-err-no", "--device-int128",
    "-device-int128", "--extensible-whole-program", "-ewp", "--no-source-include", "-no-source-include", "-dlto",
    "--minimal", "-minimal", "--gen-opt-lto", "-gen-opt-lto", "--brief-diagnostics=true", "--no-cache", "-no-cache",
    "--ptxas-options=-v", "--verbose"};

bool contains(const char* const* begin, const char* const* end, const std::string& text) {
  return std::find_if(begin, end, [&](const char* known) { return text == known; }) != end;
}

class OptionReader {
 public:
  explicit OptionReader(const std::vector<std::string>& given) : given_(given) {}

  CompileOptions read() {
    for (at_ = 0; at_ < given_.size() && options_.mistake.empty(); at_++) one(given_[at_]);
    return std::move(options_);
  }

 private:
  void one(const std::string& option) {
    if (joined(option)) return;
    const size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    if (option == "--use_fast_math" || option == "-use_fast_math") {
      options_.fastMath = true;
    } else if (option == "--device-as-default-execution-space" || option == "-default-device") {
      options_.unmarkedIsDevice = true;
    } else if (contains(std::begin(kIgnored), std::end(kIgnored), option)) {
      return;
    } else if (contains(std::begin(kIgnoredWithValue), std::end(kIgnoredWithValue), name)) {
      value(option, equals);
    } else {
      withValue(name, option, equals);
    }
  }

  // -DNAME and its kin, where the value may follow at once.
  bool joined(const std::string& option) {
    if (option.size() < 2 || option[0] != '-') return false;
    if (option[1] != 'D' && option[1] != 'U' && option[1] != 'I') return false;
    const std::string rest = option.size() > 2 ? option.substr(2) : value(option, std::string::npos);
    preprocessor(option.substr(0, 2), rest);
    return true;
  }

  void preprocessor(const std::string& kind, const std::string& text) {
    const size_t equals = text.find('=');
    if (kind == "-D") {
      const std::string meaning = equals == std::string::npos ? "1" : text.substr(equals + 1);
      options_.macros += "#define " + text.substr(0, equals) + " " + meaning + "\n";
    } else if (kind == "-U") {
      options_.macros += "#undef " + text + "\n";
    } else if (kind == "-I") {
      options_.preprocessor.push_back("-I" + text);
    } else {
      options_.preprocessor.insert(options_.preprocessor.end(), {kind, text});
    }
    options_.readsFolders |= kind == "-I" || kind == "-include";
  }

  void withValue(const std::string& name, const std::string& option, size_t equals) {
    static const std::map<std::string, std::string> shortForms = {
        {"--define-macro", "-D"}, {"--undefine-macro", "-U"}, {"--include-path", "-I"}, {"--pre-include", "-include"},
        {"-include", "-include"}};
    const auto known = shortForms.find(name);
    if (known != shortForms.end()) {
      preprocessor(known->second, value(option, equals));
    } else if (name == "--std" || name == "-std") {
      standard(value(option, equals));
    } else if (name == "--gpu-architecture" || name == "-arch") {
      architecture(value(option, equals));
    } else if (name == "--fmad" || name == "-fmad") {
      options_.fusesMultiplyAdd = value(option, equals) == "true";
    } else {
      options_.mistake = "unrecognized option " + option + " found";
    }
  }

  std::string value(const std::string& option, size_t equals) {
    if (equals != std::string::npos) return option.substr(equals + 1);
    if (at_ + 1 < given_.size()) return given_[++at_];
    options_.mistake = "option " + option + " lacks its value";
    return "";
  }

  // What is written for an older standard is read as C++17, which our own headers need.
  void standard(const std::string& text) {
    if (text == "c++20") {
      options_.standard = "-std=c++20";
    } else if (text != "c++03" && text != "c++11" && text != "c++14" && text != "c++17") {
      options_.mistake = "invalid value for --std (-std): " + text;
    }
  }

  void architecture(const std::string& text) {
    const size_t underscore = text.find('_');
    const std::string kind = text.substr(0, underscore);
    const int number = underscore == std::string::npos ? 0 : atoi(text.c_str() + underscore + 1);
    const auto& known = architectures();
    if ((kind != "sm" && kind != "compute") || std::find(known.begin(), known.end(), number) == known.end()) {
      options_.mistake = "invalid value for --gpu-architecture (-arch): " + text;
      return;
    }
    options_.architecture = number * 10;
    options_.virtualOnly = kind == "compute";
  }

  const std::vector<std::string>& given_;
  size_t at_ = 0;
  CompileOptions options_;
};

}  // namespace

const std::vector<int>& architectures() {
  static const std::vector<int> known = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
  return known;
}

CompileOptions parseOptions(const std::vector<std::string>& given) { return OptionReader(given).read(); }

}  // namespace sim
