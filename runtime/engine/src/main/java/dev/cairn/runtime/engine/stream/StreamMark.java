package dev.cairn.runtime.engine.stream;

/**
 * A place in a stream's order: passed when everything before it has ended. Sequence numbers are never used again, so
 * that a mark always means the work it was made for.
 */
public record StreamMark(EngineStream stream, long mark) {
  /** Whether everything before it has ended. */
  public boolean hasPassed() {
    return stream.hasPassed(mark);
  }
}
