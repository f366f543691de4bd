package dev.cairn.gpu;

import java.util.List;
import java.util.function.Predicate;

/**
 * What the simulated streams did, in logical time: a kernel or copy takes one tick. The order of pieces is one in which
 * each comes after all that it waited for.
 */
public record SimulatedTimeline(List<Piece> pieces) {
  /**
   * One piece of work.
   *
   * @param what a kernel's name, "copy …", "event record", "event wait"
   * @param label what the thread that gave it had said
   * @param begin the first tick
   * @param end the first tick after it
   * @param moment the number of what an event recorded or waited for, else 0
   */
  public record Piece(String stream, String what, String label, long begin, long end, long moment) {
    public boolean isRecord() {
      return what.equals("event record");
    }

    public boolean isWait() {
      return what.equals("event wait");
    }

    public boolean isCopy() {
      return what.startsWith("copy");
    }

    public boolean isKernel() {
      return end > begin && !isCopy() && !what.startsWith("memset");
    }

    boolean overlaps(Piece other) {
      return begin < other.end && other.begin < end;
    }
  }

  static SimulatedTimeline parse(String text) {
    return new SimulatedTimeline(text.lines().map(line -> line.split("\t", -1)).map(fields -> new Piece(fields[0],
      fields[1], fields[2], Long.parseLong(fields[3]), Long.parseLong(fields[4]), Long.parseLong(fields[5]))).toList());
  }

  /** How many pieces of the one kind have at least one of the other kind beside them, on another stream. */
  public long beside(Predicate<Piece> kind, Predicate<Piece> other) {
    return pieces.stream().filter(kind).filter(it -> pieces.stream().filter(other).anyMatch(that -> !that.stream.equals(
      it.stream) && that.overlaps(it))).count();
  }

  /** Ticks from the first begin to the last end. */
  public long span() {
    return pieces.stream().mapToLong(Piece::end).max().orElse(0) - pieces.stream().mapToLong(Piece::begin).min().orElse(
      0);
  }

  /** Ticks of all pieces together. */
  public long work() {
    return pieces.stream().mapToLong(it -> it.end - it.begin).sum();
  }
}
