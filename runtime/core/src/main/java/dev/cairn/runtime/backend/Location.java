package dev.cairn.runtime.backend;

/** Which kind of memory a tensor's bytes are in. */
public enum Location {
  /** The host's memory as any program has it. */
  PAGEABLE,
  /** The host's memory, page-locked for a GPU: copies to the GPU and from it are asynchronous and need no staging. */
  PAGE_LOCKED,
  /** A GPU's memory: addresses that the host must not read. */
  DEVICE
}
