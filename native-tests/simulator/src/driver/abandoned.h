// What a context leaves behind when it is destroyed.
#pragma once
#include <string>

namespace sim {

class Context;

// Frees all that belongs to the context. What a healthy context still had counts as abandoned: a leak of its user.
void releaseOwned(const Context& context);

// Lines of what was abandoned since this was asked last; adds to the count.
std::string takeAbandoned(int& count);

}  // namespace sim
