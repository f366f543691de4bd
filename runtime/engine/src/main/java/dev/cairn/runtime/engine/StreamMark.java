package dev.cairn.runtime.engine;

/**
 * A place in a stream's order: passed when everything before it has ended. Sequence numbers are never used again, so
 * that a mark always means the work it was made for.
 */
record StreamMark(EngineStream stream, long mark) {
  boolean hasPassed() {
    return stream.hasPassed(mark);
  }
}
