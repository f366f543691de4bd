package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which buffers are rectangles of their own, and which are too small to see and are drawn together: as strips, one
 * pixel high, that cover where they lie. Rectangles never overlap; a strip may lie under them. A buffer with gaps in
 * its life is a rectangle for each part of it.
 *
 * @param rectangles by buffer index
 * @param inStrips how many of them are in strips
 * @param empty how many buffers have no bytes and are not drawn
 */
record BufferShapes(List<Rectangle> rectangles, List<Strip> strips, int inStrips, int empty) {
  /** The longest strip, so that its text describes one place. */
  private static final double LONGEST_STRIP = 24;

  /** One buffer's place in the picture, in pixels. */
  record Rectangle(int buffer, double x, double y, double width, double height) {
    double area() {
      return width * height;
    }
  }

  /** Several small buffers side by side. */
  record Strip(double x, double y, double width, int buffers, long bytes) {
    private boolean reaches(Rectangle next) {
      boolean isShort = Math.max(width, next.x + next.width - x) <= LONGEST_STRIP;
      return isShort && Math.floor(next.y) == y && next.x <= x + width + 1;
    }

    private Strip with(Rectangle next, long nextBytes) {
      return new Strip(x, y, Math.max(width, next.x + next.width - x), buffers + 1, bytes + nextBytes);
    }
  }

  BufferShapes {
    rectangles = List.copyOf(rectangles);
    strips = List.copyOf(strips);
  }

  /**
   * @param most the most rectangles: the largest buffers get their own
   * @param leastArea of a rectangle, in square pixels
   */
  static BufferShapes of(PlanView view, PictureFrame frame, int most, double leastArea) {
    List<Rectangle> all = all(view, frame);
    double area = all.size() <= most
      ? leastArea
      : Math.max(leastArea, all.stream().mapToDouble(Rectangle::area).sorted().skip(all.size() - most).findFirst()
        .orElse(0));
    List<Rectangle> own = new ArrayList<>();
    List<Rectangle> small = new ArrayList<>();
    for (Rectangle it : all) {
      boolean isSeen = it.area() >= area && own.size() < most;
      (isSeen ? own : small).add(it);
    }
    return new BufferShapes(own, strips(view, small), small.size(), (int) view.problem().buffers()
      .stream().filter(it -> it.reservedBytes() == 0).count());
  }

  private static List<Rectangle> all(PlanView view, PictureFrame frame) {
    PoolStack stack = PoolStack.of(view.plan());
    List<List<Lifetime>> active = view.problem().active();
    List<Rectangle> all = new ArrayList<>();
    for (int i = 0; i < view.problem().size(); i++) {
      Buffer buffer = view.problem().buffer(i);
      if (buffer.reservedBytes() > 0) {
        long address = stack.address(view.plan().placements().get(i));
        for (Lifetime life : active.get(i)) {
          all.add(new Rectangle(i, frame.x(life.first()), frame.y(address + buffer.reservedBytes()), frame.width(life),
            frame.height(buffer.reservedBytes())));
        }
      }
    }
    return all;
  }

  private static List<Strip> strips(PlanView view, List<Rectangle> small) {
    List<Rectangle> rows = small.stream().sorted(Comparator.<Rectangle>comparingDouble(it -> Math.floor(it.y))
      .thenComparingDouble(Rectangle::x)).toList();
    List<Strip> strips = new ArrayList<>();
    for (Rectangle it : rows) {
      long bytes = view.problem().buffer(it.buffer).reservedBytes();
      if (!strips.isEmpty() && strips.getLast().reaches(it)) {
        strips.set(strips.size() - 1, strips.getLast().with(it, bytes));
      } else {
        strips.add(new Strip(it.x, Math.floor(it.y), it.width, 1, bytes));
      }
    }
    return strips;
  }
}
