package dev.cairn.runtime.report.plan;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.PlanScore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A plan drawn as SVG: time goes across, address goes up, one rectangle a buffer, the lower bound as a dashed line;
 * below, how many bytes are live at each time. Buffers too small to see share grey strips, and the picture says how
 * many. Several pools lie one above the other. Light or dark as the viewer is; the same plan gives the same text.
 *
 * <p>Over a plan with a run, buffers are pale, and what the run held is drawn over them in full colours, or in red
 * where no buffer has room for it.
 */
public final class PlanPicture {
  private static final double LEFT = 70;
  private static final double RIGHT = 104;
  private static final double TOP = 46;
  private static final double LEGEND_LINE = 18;
  private static final double AXIS = 36;
  private static final double LANE = 40;
  private static final double NOTE_LINE = 18;
  private static final double LETTER = 6.1;
  private static final double RUN_LINE = 17;
  private static final int MOST_POOL_LINES = 64;

  private final PlanView view;
  private final PictureSize size;
  private final PlanScore score;
  private final LowerBound bound;
  private final PoolStack stack;
  private final double top;
  /** The memory that the run held; empty without one. */
  private final List<HeldValue> held;
  private final PictureFrame frame;
  private final BufferShapes shapes;
  private final KindColours colours;
  private final SvgText svg = new SvgText();

  private PlanPicture(PlanView view, PictureSize size) {
    this.view = view;
    this.size = size;
    this.score = view.score();
    this.bound = view.bound();
    this.stack = PoolStack.of(view.plan());
    this.top = TOP + (view.run().isPresent() ? RUN_LINE : 0);
    this.held = view.run().map(RunMemory::values).orElse(List.of()).stream().filter(it -> it.pool() < stack.bases()
      .size()).toList();
    long highest = held.stream().mapToLong(it -> stack.bases().get(it.pool()) + it.end()).max().orElse(0);
    this.frame = PictureFrame.of(view, size.width() - LEFT - RIGHT, size.height(), Math.max(highest, Math.max(stack
      .bytes(), bound.bytes())));
    this.shapes = BufferShapes.of(view, frame, size.mostRectangles(), size.leastArea());
    this.colours = new KindColours(view);
  }

  /** The text of a file that needs no other. */
  public static String svg(PlanView view, PictureSize size) {
    return new PlanPicture(view, size).draw();
  }

  private String draw() {
    double plot = top + legendLines() * LEGEND_LINE;
    double height = plot + frame.height() + AXIS + LANE + 8 + (note().isEmpty() ? 0 : NOTE_LINE);
    svg.raw("""
      <svg xmlns="http://www.w3.org/2000/svg" class="cairn-plan" viewBox="0 0 %d %d" width="%d" height="%d">
      <style>%s</style>
      <rect class="back" width="100%%" height="100%%"/>
      """.formatted(size.width(), Math.round(height), size.width(), Math.round(height), PictureStyle.CSS));
    svg.words("head", LEFT, 18, "start", view.title());
    svg.words("ink", LEFT, 35, "start", facts());
    view.run().ifPresent(it -> svg.words("ink", LEFT, 35 + RUN_LINE, "start", facts(it)));
    legend();
    svg.raw("<g transform=\"translate(%s %s)\">%n".formatted(SvgText.number(LEFT), SvgText.number(plot)));
    axes();
    buffers();
    lines();
    svg.raw("</g>\n");
    lane(plot + frame.height() + AXIS);
    if (!note().isEmpty()) {
      svg.words("dim", LEFT, height - 7, "start", note());
    }
    return svg.raw("</svg>\n").toString();
  }

  private String facts() {
    int pools = view.plan().pools().size();
    return "%s, planned by %s: peak %s%s, lower bound %s, %.4f times the bound".formatted(
      PictureNumbers.count(view.problem().size(), "buffer"), score.planner(), StatsText.bytes(score.peakBytes()),
      pools == 1 ? "" : " in " + PictureNumbers.grouped(pools) + " pools, one above the other",
      StatsText.bytes(bound.bytes()), score.ratio());
  }

  private static String facts(RunMemory run) {
    return "a run held at most %s, at step %s. Full colour: held; pale: planned, not held; red: held, not planned"
      .formatted(StatsText.bytes(run.peak().bytes()), PictureNumbers.grouped(run.peak().step()));
  }

  private String note() {
    String strips = shapes.inStrips() == 0
      ? ""
      : "%s of %s too small to see here, drawn together as %s of one pixel. ".formatted(
        PictureNumbers.grouped(shapes.inStrips()), PictureNumbers.count(view.problem().size(), "buffer"),
        PictureNumbers.count(shapes.strips().size(), "grey strip"));
    return (strips
      + (shapes.empty() == 0 ? "" : PictureNumbers.count(shapes.empty(), "buffer") + " of no bytes not drawn."))
      .strip();
  }

  private int legendLines() {
    double x = 0;
    int lines = colours.legend().isEmpty() ? 0 : 1;
    for (String word : colours.legend().values()) {
      if (x > 0 && x + legendWidth(word) > frame.width()) {
        x = 0;
        lines++;
      }
      x += legendWidth(word);
    }
    return lines;
  }

  private static double legendWidth(String word) {
    return 32 + word.length() * 1.1 * LETTER;
  }

  private void legend() {
    double x = 0;
    double y = top + 4;
    for (Map.Entry<String, String> entry : colours.legend().entrySet()) {
      if (x > 0 && x + legendWidth(entry.getValue()) > frame.width()) {
        x = 0;
        y += LEGEND_LINE;
      }
      svg.rectangle(entry.getKey(), LEFT + x, y - 4, 10, 10, "");
      svg.words("dim", LEFT + x + 14, y + 5, "start", entry.getValue());
      x += legendWidth(entry.getValue());
    }
  }

  private void axes() {
    svg.raw("<g class=\"axes\">\n");
    for (long address : frame.addresses(9)) {
      svg.line("grid", -4, frame.y(address), frame.width(), frame.y(address));
      svg.words("dim", -8, frame.y(address) + 4, "end", PictureNumbers.tick(address));
    }
    for (long time : frame.times(11)) {
      svg.line("tick", frame.x(time), frame.height(), frame.x(time), frame.height() + 4);
      svg.words("dim", frame.x(time), frame.height() + 16, "middle", PictureNumbers.grouped(time));
    }
    svg.raw("</g>\n");
    svg.words("dim", frame.width() + 8, frame.height() + 16, "start", view.timeUnit());
  }

  private void buffers() {
    svg.raw(
      """
        <svg class="plot" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s" preserveAspectRatio="none" \
        data-first="%3$d" data-end="%4$d" data-bytes="%5$d">
        """
        .formatted(SvgText.number(frame.width()), SvgText.number(frame.height()), frame.first(), frame.end(),
          frame.bytes()));
    for (BufferShapes.Strip strip : shapes.strips()) {
      svg.rectangle("s", strip.x(), strip.y(), Math.max(strip.width(), 1), 1,
        PictureNumbers.count(strip.buffers(), "small buffer") + "\ntogether " + PictureNumbers.bytes(strip.bytes()));
    }
    var title = new BufferTitle(view);
    String pale = view.run().isPresent() ? " p" : "";
    for (BufferShapes.Rectangle it : shapes.rectangles()) {
      String edge = it.width() >= 3 && it.height() >= 3 ? " e" : "";
      svg.rectangle(colours.of(it.buffer()) + edge + pale, it.x(), it.y(), it.width(), it.height(),
        title.of(it.buffer()));
    }
    view.run().ifPresent(this::held);
    svg.raw("<g class=\"names\">\n");
    for (BufferShapes.Rectangle it : shapes.rectangles()) {
      String owner = view.labels().get(it.buffer()).owner();
      if (it.height() >= 13 && it.width() >= owner.length() * LETTER + 8) {
        svg.words("name", it.x() + it.width() / 2, it.y() + it.height() / 2 + 3.5, "middle", owner);
      }
    }
    svg.raw("</g>\n</svg>\n");
  }

  /** The largest of what the run held, as many as buffers may have rectangles. */
  private void held(RunMemory run) {
    Set<HeldValue> outside = Set.copyOf(new PlanAndRun(view, run).outside());
    List<HeldValue> largest = held.stream().sorted(Comparator.comparingDouble((HeldValue it) -> -(double) it.bytes()
      * it.life().length())).limit(size.mostRectangles()).toList();
    for (HeldValue it : largest) {
      long address = stack.bases().get(it.pool()) + it.offset();
      double width = frame.width(it.life());
      double height = frame.height(it.bytes());
      String colour = outside.contains(it) ? "x" : colours.of(it.operator(), it.scratch());
      svg.rectangle(colour + " h" + (width >= 3 && height >= 3 ? " e" : ""), frame.x(it.life().first()), frame.y(
        address + it.bytes()), width, height, title(it, outside.contains(it)));
    }
  }

  private String title(HeldValue it, boolean isOutside) {
    String writer = it.node().isEmpty() ? "bytes that no step wrote" : it.node() + " (" + it.operator() + ")";
    return "%s%s\n%s\nheld by the run at %s %s\naddress %s%s".formatted(writer, it.scratch()
      ? "\nscratch memory of the kernel"
      : "", PictureNumbers.bytes(it.bytes()), view.timeUnit(), it.life(),
      PictureNumbers.grouped(stack.bases().get(it
        .pool()) + it.offset()),
      isOutside ? "\nnot planned" : "");
  }

  private void lines() {
    svg.raw("<g class=\"lines\">\n");
    if (view.plan().pools().size() <= MOST_POOL_LINES) {
      for (long base : stack.bases().subList(Math.min(1, stack.bases().size()), stack.bases().size())) {
        svg.line("pool", 0, frame.y(base), frame.width(), frame.y(base));
      }
    }
    double y = frame.y(bound.bytes());
    double top = frame.y(stack.bytes());
    svg.line("bound", -4, y, frame.width() + 4, y);
    boolean isApart = y - top > 26;
    if (isApart) {
      svg.line("peak", -4, top, frame.width() + 4, top);
      svg.words("dim", frame.width() + 8, top + 4, "start", "peak");
      svg.words("dim", frame.width() + 8, top + 17, "start", StatsText.bytes(score.peakBytes()));
    }
    String words = stack.bytes() == bound.bytes() ? "bound = peak" : "lower bound";
    svg.words("dim", frame.width() + 8, y + 4, "start", words);
    svg.words("dim", frame.width() + 8, y + 17, "start", StatsText.bytes(bound.bytes()));
    svg.raw("</g>\n");
  }

  private void lane(double top) {
    long mostLive = Math.max(bound.bytes(), view.run().map(it -> it.peak().bytes()).orElse(0L));
    svg.raw("""
      <g transform="translate(%s %s)">
      <svg class="lane" width="%3$s" height="%4$s" viewBox="0 0 %3$s %4$s" preserveAspectRatio="none">
      <path class="live" d="%5$s"/>
      """.formatted(SvgText.number(LEFT), SvgText.number(top), SvgText.number(frame.width()), SvgText.number(LANE),
      LiveProfile.of(view.problem(), frame).path(LANE, mostLive)));
    if (view.run().isPresent()) {
      svg.raw("<path class=\"held\" d=\"%s\"/>%n".formatted(LiveProfile.of(RunMemory.changes(held), frame).path(LANE,
        mostLive)));
    }
    if (view.problem().size() > 0) {
      svg.line("most", frame.x(bound.step()), 0, frame.x(bound.step()), LANE);
    }
    svg.raw("</svg>\n");
    svg.line("bound", 0, 0, frame.width(), 0);
    svg.words("dim", -8, LANE / 2 + 4, "end", "live bytes");
    if (view.problem().size() > 0) {
      svg.words("dim", frame.width() + 8, 4, "start", "most live at");
      svg.words("dim", frame.width() + 8, 17, "start", view.timeUnit() + " " + PictureNumbers.grouped(bound.step()));
    }
    svg.raw("</g>\n");
  }
}
