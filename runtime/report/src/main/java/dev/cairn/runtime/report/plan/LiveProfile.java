package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many bytes are live at each time, one column a pixel: the most within it. */
final class LiveProfile {
  private final long[] columns;

  private LiveProfile(long[] columns) {
    this.columns = columns;
  }

  static LiveProfile of(MemoryProblem problem, PictureFrame frame) {
    SortedMap<Integer, Long> changes = new TreeMap<>();
    List<List<Lifetime>> active = problem.active();
    for (int i = 0; i < problem.size(); i++) {
      long bytes = problem.buffer(i).reservedBytes();
      for (Lifetime life : active.get(i)) {
        changes.merge(life.first(), bytes, Long::sum);
        changes.merge(life.end(), -bytes, Long::sum);
      }
    }
    return of(changes, frame);
  }

  /** @param changes by time, how many bytes more are live than before */
  static LiveProfile of(SortedMap<Integer, Long> changes, PictureFrame frame) {
    long[] columns = new long[(int) Math.ceil(frame.width())];
    long live = 0;
    int from = 0;
    for (var change : changes.entrySet()) {
      int to = Math.min(columns.length - 1, (int) frame.x(change.getKey()));
      raise(columns, from, to, live);
      live += change.getValue();
      from = to;
    }
    return new LiveProfile(columns);
  }

  private static void raise(long[] columns, int from, int to, long live) {
    for (int i = from; i <= to; i++) {
      columns[i] = Math.max(columns[i], live);
    }
  }

  /** The area under the curve as data of an SVG path, from the lower left corner, for a lane of this height. */
  String path(double height, long mostBytes) {
    StringBuilder path = new StringBuilder("M0 ").append(SvgText.number(height));
    long last = -1;
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] != last) {
        double y = height - height * columns[i] / Math.max(mostBytes, 1);
        path.append('H').append(i).append('V').append(SvgText.number(y));
        last = columns[i];
      }
    }
    return path.append('H').append(columns.length).append('V').append(SvgText.number(height)).append('Z').toString();
  }
}
