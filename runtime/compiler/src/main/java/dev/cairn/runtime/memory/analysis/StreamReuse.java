package dev.cairn.runtime.memory.analysis;

/** Whose bytes a buffer may take on a run with several streams. */
public enum StreamReuse {
  /** The bytes of any buffer whose uses have all ended for sure, by stream order and events. */
  ORDERED,
  /** Only the bytes of a buffer that was used on no stream but the one that makes the new buffer. */
  SAME_STREAM
}
