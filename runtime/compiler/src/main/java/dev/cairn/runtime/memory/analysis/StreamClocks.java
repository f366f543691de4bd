package dev.cairn.runtime.memory.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * For each step and stream, the last step of that stream which is sure to have ended when the step begins, or -1: what
 * stream order and events imply. Grows step by step.
 */
final class StreamClocks {
  private final int[] streamOf;
  private final int[][] ended;
  private final int[] lastOn;
  private int count;

  StreamClocks(int streams, int size) {
    streamOf = new int[size];
    ended = new int[size][];
    lastOn = new int[streams];
    Arrays.fill(lastOn, -1);
  }

  static StreamClocks of(StreamSchedule schedule) {
    var clocks = new StreamClocks(schedule.streams(), schedule.steps().size());
    schedule.steps().forEach(step -> clocks.add(step.stream(), step.waits()));
    return clocks;
  }

  /** Adds the next step, which waits for these and has no need for other events. */
  void add(int stream, List<Integer> waits) {
    int[] known = afterStream(stream);
    waits.forEach(step -> join(known, step));
    put(stream, known);
  }

  /**
   * Adds the next step, which must come after these (ascending), and gives those of them that it has to wait for by an
   * event: not steps that come before it anyway.
   */
  List<Integer> addAfter(int stream, int[] before) {
    int[] known = afterStream(stream);
    List<Integer> waits = new ArrayList<>();
    for (int i = before.length - 1; i >= 0; i--) {
      if (known[streamOf[before[i]]] < before[i]) {
        waits.add(before[i]);
        join(known, before[i]);
      }
    }
    put(stream, known);
    return waits.reversed();
  }

  /** The last step of the stream that is sure to have ended when the step begins, or -1. */
  int endedBefore(int step, int stream) {
    return ended[step][stream];
  }

  private int[] afterStream(int stream) {
    int[] known = new int[lastOn.length];
    Arrays.fill(known, -1);
    if (lastOn[stream] >= 0) {
      join(known, lastOn[stream]);
    }
    return known;
  }

  private void join(int[] known, int step) {
    for (int stream = 0; stream < known.length; stream++) {
      known[stream] = Math.max(known[stream], ended[step][stream]);
    }
    known[streamOf[step]] = Math.max(known[streamOf[step]], step);
  }

  private void put(int stream, int[] known) {
    streamOf[count] = stream;
    ended[count] = known;
    lastOn[stream] = count++;
  }
}
