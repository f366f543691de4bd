package dev.cairn.runtime.report.plan;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What memory costs, drawn as SVG: budgets go across, overhead goes up. One line is what was found, a dashed one what
 * is proved; a vertical line is the floor, below which nothing fits.
 */
public final class OverheadCurve {
  private static final double LEFT = 62;
  private static final double TOP = 48;
  private static final double WIDTH = 560;
  private static final double HEIGHT = 260;
  private static final int TICKS = 5;

  private final List<Point> points;
  private final double highest;
  private final long peak;
  private final SvgText svg = new SvgText();

  /**
   * The answer for one budget.
   *
   * @param bytes the budget
   * @param overhead what reruns add, as a part of the work without them
   * @param bound what they add at least
   */
  public record Point(long bytes, double overhead, double bound) {}

  private OverheadCurve(List<Point> points, long peak) {
    this.points = points;
    this.peak = Math.max(1, peak);
    double most = points.stream().mapToDouble(Point::overhead).max().orElse(0);
    highest = most > 0 ? most : 0.01;
  }

  /**
   * The text of a file that needs no other.
   *
   * @param points the smallest budget first
   * @param floor bytes below which nothing fits
   * @param peak bytes that are needed without reruns
   */
  public static String svg(String title, List<Point> points, long floor, long peak) {
    return new OverheadCurve(points, peak).draw(title, floor);
  }

  private String draw(String title, long floor) {
    svg.raw("""
      <svg xmlns="http://www.w3.org/2000/svg" class="cairn-plan" viewBox="0 0 660 370" width="660" height="370">
      <style>%s.cairn-plan .found{fill:none;stroke:#4e9fd1;stroke-width:2}
      .cairn-plan .proved{fill:none;stroke:#cf222e;stroke-dasharray:6 4}
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
    line("proved", Point::bound);
    line("found", Point::overhead);
    for (Point point : points) {
      svg.rectangle("c0", x(point.bytes) - 3, y(point.overhead) - 3, 6, 6, "%s: +%s %%, at least +%s %%".formatted(
        PictureNumbers.bytes(point.bytes), SvgText.number(100 * point.overhead), SvgText.number(100 * point.bound)));
    }
    return svg.raw("</svg>\n").toString();
  }

  private void line(String cssClass, ToDoubleFunction<Point> height) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
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
