package dev.cairn.runtime.report.plan;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The cost of memory, drawn as SVG: budgets go across, overhead goes up. One line is what was found, a dashed one what
 * is proved; thin ones are what others choose. A vertical line is the floor, below which nothing fits.
 */
public final class OverheadCurve {
  private static final double LEFT = 62;
  private static final double TOP = 48;
  private static final double WIDTH = 560;
  private static final double HEIGHT = 260;
  private static final int TICKS = 5;
  private static final int MOST_OTHERS = 5;
  private static final double LEGEND = 80;

  private final List<Point> points;
  private final List<Other> others;
  private final double highest;
  private final long peak;
  private final SvgText svg = new SvgText();

  /**
   * The answer for one budget.
   *
   * @param bytes the budget
   * @param overhead what recomputations add, as a part of the work without them
   * @param bound what they add at least
   */
  public record Point(long bytes, double overhead, double bound) {}

  /**
   * The choice of another system's rule.
   *
   * @param points where it fits, the smallest budget first
   */
  public record Other(String name, List<Point> points) {
    public Other {
      points = List.copyOf(points);
    }
  }

  private OverheadCurve(List<Point> points, List<Other> others, long peak) {
    this.points = points;
    this.others = others;
    this.peak = Math.max(1, peak);
    double most = Stream.concat(Stream.of(points), others.stream().map(Other::points)).flatMap(List::stream)
      .mapToDouble(Point::overhead).max().orElse(0);
    highest = most > 0 ? most : 0.01;
  }

  /**
   * The text of a file that needs no other.
   *
   * @param points the smallest budget first
   * @param others to compare with, at most {@value #MOST_OTHERS}
   * @param floor bytes below which nothing fits
   * @param peak bytes that are needed without recomputations
   */
  public static String svg(String title, List<Point> points, List<Other> others, long floor, long peak) {
    if (others.size() > MOST_OTHERS) {
      throw new IllegalArgumentException("too many lines: others=%d most=%d".formatted(others.size(), MOST_OTHERS));
    }
    return new OverheadCurve(points, others, peak).draw(title, floor);
  }

  private String draw(String title, long floor) {
    svg.raw("""
      <svg xmlns="http://www.w3.org/2000/svg" class="cairn-plan" viewBox="0 0 660 370" width="660" height="370">
      <style>%s.cairn-plan .found{fill:none;stroke:#4e9fd1;stroke-width:2}
      .cairn-plan .proved{fill:none;stroke:#cf222e;stroke-dasharray:6 4}
      .cairn-plan .other{fill:none;stroke-width:1.2}
      .cairn-plan .d0{stroke:#e8b04a}.cairn-plan .d1{stroke:#3fb594}.cairn-plan .d2{stroke:#d99abb}
      .cairn-plan .d3{stroke:#e58a4e}.cairn-plan .d4{stroke:#a593d8}
      </style>
      <rect class="back" width="100%%" height="100%%"/>
      """.formatted(PictureStyle.CSS));
    svg.words("head", LEFT, 18, "start", title);
    svg.words("ink", LEFT, 35, "start", "overhead of recomputation by budget; dashed: what is proved as the least");
    for (int i = 0; i <= TICKS; i++) {
      double part = (double) i / TICKS;
      svg.line("grid", LEFT, y(part * highest), LEFT + WIDTH, y(part * highest));
      svg.words("dim", LEFT - 6, y(part * highest) + 4, "end", SvgText.number(Math.round(1e4 * part * highest) / 100.0)
        + " %");
      svg.line("tick", LEFT + part * WIDTH, TOP + HEIGHT, LEFT + part * WIDTH, TOP + HEIGHT + 4);
      svg.words("dim", LEFT + part * WIDTH, TOP + HEIGHT + 17, "middle", i * 100 / TICKS + " %");
    }
    svg.words("dim", LEFT + WIDTH / 2, TOP + HEIGHT + 36, "middle", "budget, of the peak without recomputation: "
      + PictureNumbers.bytes(peak));
    svg.line("peak", x(floor), TOP, x(floor), TOP + HEIGHT);
    svg.words("dim", x(floor) - 4, TOP + 10, "end", "floor");
    for (int i = 0; i < others.size(); i++) {
      line("other d" + i, others.get(i).points, Point::overhead);
      double left = LEFT + i * LEGEND;
      svg.line("other d" + i, left, TOP + HEIGHT + 48, left + 16, TOP + HEIGHT + 48);
      svg.words("dim", left + 20, TOP + HEIGHT + 52, "start", others.get(i).name);
    }
    line("proved", points, Point::bound);
    line("found", points, Point::overhead);
    for (Point point : points) {
      svg.rectangle("c0", x(point.bytes) - 3, y(point.overhead) - 3, 6, 6, "%s: +%s %%, at least +%s %%".formatted(
        PictureNumbers.bytes(point.bytes), SvgText.number(100 * point.overhead), SvgText.number(100 * point.bound)));
    }
    return svg.raw("</svg>\n").toString();
  }

  private void line(String cssClass, List<Point> through, ToDoubleFunction<Point> height) {
    StringBuilder path = new StringBuilder();
    for (Point point : through) {
      path.append(path.isEmpty() ? "" : " ").append(SvgText.number(x(point.bytes))).append(',').append(SvgText.number(
        y(height.applyAsDouble(point))));
    }
    svg.raw("<polyline class=\"%s\" points=\"%s\"/>%n".formatted(cssClass, path));
  }

  private double x(long bytes) {
    return LEFT + WIDTH * Math.min(1, (double) bytes / peak);
  }

  private double y(double overhead) {
    return TOP + HEIGHT * (1 - overhead / highest);
  }
}
