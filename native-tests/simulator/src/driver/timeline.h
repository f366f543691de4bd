// Which piece of work came when, in logical time: a piece that touches memory takes one tick, all others none; it
// begins when the piece before it in its stream has ended, what that stream waited for has ended, and the host had
// given it. So what overlaps here can overlap on a device, however the threads that play streams were scheduled.
// Off until a test asks. The timeline has a line for each piece, with tabs between the fields. Each piece comes after
// all pieces that it waited for:
//   stream  what  label  begin  end  moment
// The label is the last one that was set on the thread that gave the work. The moment is the number of the moment that
// an event recorded or that the piece waited for, else 0.
#pragma once
#include <cstdint>
#include <string>

namespace sim {

struct Issued {
  uint64_t tick = 0;
  std::string label;
};

void keepTimeline(bool wanted);  // forgets what was kept
void label(const char* text);    // for what this thread gives from now on
Issued issuedNow();
void hostHasSeen(uint64_t tick);  // what it gives from now on begins no earlier

void note(const std::string& stream, const std::string& what, const Issued& issued, uint64_t begin, uint64_t end,
          uint64_t moment);
std::string timelineText();

}  // namespace sim
