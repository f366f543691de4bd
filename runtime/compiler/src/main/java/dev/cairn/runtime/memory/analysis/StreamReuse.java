package dev.cairn.runtime.memory.analysis;

/** Whose bytes a buffer may take on a run with several streams. */
public enum StreamReuse {
  /** Those of any buffer all whose uses are sure to have ended, by stream order and events. */
  ORDERED,
  /** Only those of a buffer that has been used on no other stream than the one that makes the new one. */
  SAME_STREAM
}
