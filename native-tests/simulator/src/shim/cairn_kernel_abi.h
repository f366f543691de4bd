// What a compiled kernel and the simulated driver know of each other. Read by both sides, so: no standard header.
#pragma once

struct CairnDeviceCalls;

// What a thread of a grid sees of itself. A kernel finds it in register r15, which every fiber keeps as its own.
struct CairnThread {
  unsigned threadIndex[3], blockIndex[3], blockShape[3], gridShape[3];
  unsigned linear, lane, warp;
  int notesAtomics;  // 1: the race check wants to know which addresses are added to in any order
  void* dynamicShared;
  const CairnDeviceCalls* calls;
};

enum CairnVote { CAIRN_BARRIER, CAIRN_BARRIER_COUNT, CAIRN_BARRIER_AND, CAIRN_BARRIER_OR };

// What lanes of a warp do together; all lanes that meet must do the same.
enum CairnMeeting {
  CAIRN_SYNC, CAIRN_SHUFFLE, CAIRN_BALLOT, CAIRN_MATCH_ANY, CAIRN_MATCH_ALL,
  CAIRN_ADD, CAIRN_MIN, CAIRN_MAX, CAIRN_MIN_UNSIGNED, CAIRN_MAX_UNSIGNED, CAIRN_AND, CAIRN_OR, CAIRN_XOR
};

struct CairnDeviceCalls {
  int (*barrier)(CairnThread* self, int line, int vote, int predicate);
  unsigned long long (*meet)(CairnThread* self, unsigned mask, int meeting, unsigned long long value, unsigned lane);
  void (*fail)(CairnThread* self, int code, const char* what, const char* file, int line);
  void (*noteAtomic)(const void* address, unsigned bytes);
  int (*print)(const char* format, ...);
};

struct CairnKernelEntry {
  const void* function;
  void (*invoke)(void** arguments);
  int parameterCount;
  const unsigned* parameterSizes;
  unsigned maxThreads;  // of __launch_bounds__; 0: none given
};

// Exported by every compiled module under the name cairn_sim_module.
struct CairnModule {
  unsigned magic, version;
  const CairnKernelEntry* const* kernels;       // ends with null
  void* (*bindShared)(void* dynamicShared);     // for `extern __shared__` outside of functions; answers the anchor
};

#define CAIRN_MODULE_MAGIC 0xca125130u
#define CAIRN_MODULE_VERSION 1u
