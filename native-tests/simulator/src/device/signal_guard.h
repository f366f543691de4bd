// Turns a fault of a kernel (a wild pointer, a division by zero) into an answer instead of the end of the process.
#pragma once

namespace sim::device {

// Sets the handlers once for the process and an alternate stack for the calling thread. Signals on threads that run no
// kernel go on to the handler that was there before, for example the JVM's.
void guardThisThread();

// Interrupts the block that runs on a thread, for the watchdog.
void interruptThread(unsigned long thread);

}  // namespace sim::device
