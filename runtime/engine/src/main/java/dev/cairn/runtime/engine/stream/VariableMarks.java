package dev.cairn.runtime.engine.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far streams are with one variable: the end of the last write given to a stream, and for each stream the end of
 * the last read since. Operations end for the engine when they are given to their stream; later ones wait for
 * these marks instead. Thread-safe, since several readers may be in at a time.
 */
public final class VariableMarks {
  private @Nullable StreamMark write;
  private @Nullable StreamOutcome outcome;
  private final List<StreamMark> reads = new ArrayList<>();

  /** Adds the last marks: those of the reads, each of which waited for the write; without reads, that of the write. */
  public synchronized void addLast(List<StreamMark> last) {
    StreamMark written = write;
    if (!reads.isEmpty()) {
      last.addAll(reads);
    } else if (written != null) {
      last.add(written);
    }
  }

  /** Adds the marks that an operation must come after if it reads, or writes, the variable. */
  public synchronized void addTo(List<StreamMark> awaited, boolean writes) {
    StreamMark last = write;
    if (last != null) {
      awaited.add(last);
    }
    if (writes) {
      awaited.addAll(reads);
    }
  }

  /** What became of the last write: to be asked again when its mark has passed, if that is needed. */
  public synchronized @Nullable StreamOutcome outcome() {
    return outcome;
  }

  /** A write was given to a stream, and ends at that mark. */
  public synchronized void wrote(StreamMark mark, StreamOutcome becomes) {
    write = mark;
    outcome = becomes;
    reads.clear();
  }

  /** One mark for each stream: the later covers the earlier. */
  public synchronized void read(StreamMark mark) {
    for (int i = 0; i < reads.size(); i++) {
      if (reads.get(i).stream().number() == mark.stream().number()) {
        reads.set(i, mark);
        return;
      }
    }
    // Without this, the marks of a stopped engine would be kept until the next write.
    reads.removeIf(it -> it.stream().isClosed());
    reads.add(mark);
  }

  /** How many streams may still read. */
  public synchronized int readers() {
    return reads.size();
  }

  /** Written by the host, after all marks have passed. */
  public synchronized void wroteOnHost() {
    write = null;
    outcome = null;
    reads.clear();
  }
}
