// What g++'s sanitizers call, and would take from a library of theirs: places outside of arrays whose size is known, such
// as static shared memory, which no guard page ends; and addresses that do not suit their type.
#pragma once

struct CairnPlace {
  const char* file;
  unsigned line, column;
};

#define CAIRN_CHECK(name, code, what) \
  extern "C" __attribute__((visibility("hidden"), used, noinline, noreturn)) void name(void* place, void*) { \
    const auto* at = static_cast<const CairnPlace*>(place); \
    cairn_thread->calls->fail(cairn_thread, code, what, at->file, static_cast<int>(at->line)); \
    __builtin_unreachable(); \
  }
CAIRN_CHECK(__ubsan_handle_out_of_bounds_abort, 719, "an index lies outside of its array")
CAIRN_CHECK(__ubsan_handle_type_mismatch_v1_abort, 716, "misaligned address")
#undef CAIRN_CHECK
