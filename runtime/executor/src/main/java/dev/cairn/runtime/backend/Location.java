package dev.cairn.runtime.backend;

/** The kind of memory that holds a tensor's bytes. */
public enum Location {
  /** Ordinary host memory. */
  PAGEABLE,
  /** Host memory that is page-locked for a GPU: copies to and from the GPU are asynchronous and need no staging. */
  PAGE_LOCKED,
  /** GPU memory: the host must not read its addresses. */
  DEVICE
}
