// Failures ordered by tests: the nth next call of a function answers a code and does nothing. Counts calls besides.
#pragma once
#include <map>
#include <mutex>
#include <string>

namespace sim {

class FaultPlan {
 public:
  // nth = 1 is the very next call; 0 forgets the plan for this function. Code 0: it only looks as if it
  // went well. Names go with or without _v2.
  void fail(const std::string& call, int nth, int code);

  static constexpr int kNotPlanned = -1;

  // Counts one call, and says what it must answer: the planned code, or kNotPlanned.
  int enter(const char* call);

  long calls(const std::string& call) const;

 private:
  struct Row {
    long calls = 0;
    int until = 0;  // calls left until the failing one; 0: none planned
    int code = 0;
  };
  mutable std::mutex mutex;
  std::map<std::string, Row, std::less<>> rows;
};

FaultPlan& faultPlan();

}  // namespace sim
