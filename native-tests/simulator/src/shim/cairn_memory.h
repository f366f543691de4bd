// Copies within a thread, and loads and stores with cache hints, which say nothing here.
#pragma once

extern "C" void* memcpy(void*, const void*, size_t) noexcept;
extern "C" void* memmove(void*, const void*, size_t) noexcept;
extern "C" void* memset(void*, int, size_t) noexcept;
extern "C" int memcmp(const void*, const void*, size_t) noexcept;

#define CAIRN_LOAD(name) \
  template <class T> \
  CAIRN_INLINE T name(const T* address) { \
    return *address; \
  }
#define CAIRN_STORE(name) \
  template <class T> \
  CAIRN_INLINE void name(T* address, T value) { \
    *address = value; \
  }
CAIRN_LOAD(__ldg) CAIRN_LOAD(__ldca) CAIRN_LOAD(__ldcg) CAIRN_LOAD(__ldcs) CAIRN_LOAD(__ldlu) CAIRN_LOAD(__ldcv)
CAIRN_STORE(__stwb) CAIRN_STORE(__stcg) CAIRN_STORE(__stcs) CAIRN_STORE(__stwt)
#undef CAIRN_LOAD
#undef CAIRN_STORE
