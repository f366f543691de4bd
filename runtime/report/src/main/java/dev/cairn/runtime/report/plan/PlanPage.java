package dev.cairn.runtime.report.plan;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.PlanScore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A page of HTML around {@link PlanPicture}: figures, the picture with zoom and search, the planners side by side, and
 * what is live when most is. One file, which loads nothing. Without scripts the picture looks as in its own file.
 */
public final class PlanPage {
  /** Rows of the table of what is live. */
  private static final int MOST_LIVE_ROWS = 100;
  private static final int MOST_UNHELD_ROWS = 20;

  private final PlanView view;
  private final PageFacts facts;
  private final StringBuilder html = new StringBuilder();

  private PlanPage(PlanView view, PageFacts facts) {
    this.view = view;
    this.facts = facts;
  }

  /** The text of the file. */
  public static String html(PlanView view, PageFacts facts) {
    return new PlanPage(view, facts).page();
  }

  private String page() {
    String title = SvgText.escaped(view.title());
    html.append("""
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>Memory plan of %s</title>
      <style>
      %s</style>
      <h1>Memory plan of %s</h1>
      """.formatted(title, resource("plan-page.css"), title));
    if (!facts.verdict().isEmpty()) {
      html.append("<p class=\"verdict\">").append(SvgText.escaped(facts.verdict())).append("</p>\n");
    }
    figures();
    html.append("""
      <p class="controls" hidden><input type="search" placeholder="find a buffer" aria-label="find a buffer">
      <output></output><button type="button">whole plan</button>
      %s<span>wheel: zoom · with shift: address only · with alt: time only · drag: move</span></p>
      <figure>
      """.formatted(view.run().isPresent()
      ? "<label><input type=\"checkbox\" checked> what the run held</label>\n      "
      : ""));
    html.append(PlanPicture.svg(view, PictureSize.IN_PAGE)).append("</figure>\n<div id=\"tip\" hidden></div>\n");
    run();
    planners();
    if (!facts.curve().isEmpty()) {
      html.append("<h2>What less memory costs</h2>\n<figure>\n").append(facts.curve()).append("</figure>\n");
    }
    live();
    return html.append("<script>\n").append(resource("plan-page.js")).append("</script>\n</html>\n").toString();
  }

  private void figures() {
    PlanScore score = view.score();
    html.append("<dl>\n");
    figure("planner", score.planner());
    figure("peak", PictureNumbers.bytes(score.peakBytes()));
    figure("lower bound", PictureNumbers.bytes(score.boundBytes()));
    figure("peak / bound", String.format(Locale.ROOT, "%.4f", score.ratio()));
    figure("unshared", PictureNumbers.bytes(score.unsharedBytes()));
    figure("lost to alignment at the bound", PictureNumbers.bytes(score.paddingBytes()));
    figure("buffers", PictureNumbers.grouped(view.problem().size()));
    figure(view.timeUnit().equals("step") ? "steps" : "last time", PictureNumbers.grouped(view.problem().steps()));
    html.append("</dl>\n");
  }

  private void figure(String name, String value) {
    html.append("<div><dt>").append(name).append("</dt><dd>").append(SvgText.escaped(value)).append("</dd></div>\n");
  }

  /** What the run held, and the buffers that it held for fewer steps than the plan reserves. */
  private void run() {
    if (view.run().isEmpty()) {
      return;
    }
    RunMemory run = view.run().get();
    var both = new PlanAndRun(view, run);
    html.append("<h2>What the run held</h2>\n<dl>\n");
    figure("held at most", "%s at %s %s".formatted(PictureNumbers.bytes(run.peak().bytes()), view.timeUnit(),
      PictureNumbers.grouped(run.peak().step())));
    figure("of what the plan reserves, in bytes × steps", String.format(Locale.ROOT, "%.1f %%", 100 * both.share()));
    figure("held, but not planned", PictureNumbers.count(both.outside().size(), "value"));
    figure("granted for the plan's pools", PictureNumbers.bytes(run.poolBytes().stream().mapToLong(it -> it).sum()));
    figure("the allocator's most bytes in use", PictureNumbers.bytes(run.mostInUse()));
    html.append("</dl>\n");
    outside(both.outside());
    unheld(both);
  }

  private void outside(List<HeldValue> outside) {
    if (!outside.isEmpty()) {
      html.append("<table>\n");
      row("th", "held, but not planned", "operator", "bytes", "life", "pool", "offset");
      outside.stream().limit(MOST_LIVE_ROWS).forEach(it -> row("td", it.node(), it.operator(), PictureNumbers.grouped(it
        .bytes()), it.life().toString(), String.valueOf(it.pool()), PictureNumbers.grouped(it.offset())));
      html.append("</table>\n");
    }
  }

  private void unheld(PlanAndRun both) {
    List<Integer> shorter = IntStream.range(0, view.problem().size()).boxed().filter(i -> both.unheldBytes(i) > 0)
      .sorted(Comparator.comparingDouble((Integer i) -> -both.unheldBytes(i))).toList();
    if (shorter.isEmpty()) {
      html.append("<p>Each buffer was held for all steps that the plan reserves it for.</p>\n");
      return;
    }
    List<Lifetime> planned = view.problem().held();
    html.append("<p>%s held for fewer steps than planned%s.</p>%n<table>%n".formatted(PictureNumbers.count(shorter
      .size(), "buffer"), shorter.size() > MOST_UNHELD_ROWS ? "; the largest " + MOST_UNHELD_ROWS : ""));
    row("th", "buffer", "bytes", "planned", "held");
    for (int i : shorter.subList(0, Math.min(shorter.size(), MOST_UNHELD_ROWS))) {
      row("td", view.labels().get(i).owner(), PictureNumbers.grouped(view.problem().buffer(i).bytes()), planned.get(i)
        .toString(), both.held(i).map(Lifetime::toString).orElse("never"));
    }
    html.append("</table>\n");
  }

  private void planners() {
    if (facts.planners().isEmpty()) {
      return;
    }
    html.append("<h2>Planners</h2>\n<table>\n");
    row("th", "planner", "peak", "of bound", "time");
    facts.planners().forEach(it -> row("td", it.planner(), it.peak(), it.ratio(), it.time()));
    html.append("</table>\n");
  }

  private void live() {
    LowerBound bound = view.bound();
    List<Lifetime> held = view.problem().held();
    PoolStack stack = PoolStack.of(view.plan());
    List<Integer> live = IntStream.range(0, view.problem().size()).boxed()
      .filter(i -> held.get(i).first() <= bound.step() && bound.step() < held.get(i).end())
      .sorted(Comparator.comparingLong((Integer i) -> view.problem().buffer(i).reservedBytes()).reversed()).toList();
    html.append("<h2>Live at %s %s, when most is: %s, %s</h2>\n".formatted(view.timeUnit(), PictureNumbers.grouped(bound
      .step()), PictureNumbers.count(live.size(), "buffer"), StatsText.bytes(bound.bytes())));
    if (live.size() > MOST_LIVE_ROWS) {
      html.append("<p>The largest ").append(MOST_LIVE_ROWS).append(" of them.</p>\n");
    }
    boolean isKnown = view.labels().stream().anyMatch(it -> !it.kind().isEmpty());
    html.append("<table>\n");
    row("th", isKnown
      ? new String[] {"buffer", "operator", "tensors", "bytes", "life", "address"}
      : new String[] {"buffer", "bytes", "life", "address"});
    for (int i : live.subList(0, Math.min(live.size(), MOST_LIVE_ROWS))) {
      BufferLabel label = view.labels().get(i);
      String bytes = PictureNumbers.grouped(view.problem().buffer(i).bytes());
      String address = PictureNumbers.grouped(stack.address(view.plan().placements().get(i)));
      row("td", isKnown
        ? new String[] {label.owner(), label.kind(), label.tensors(), bytes, held.get(i).toString(), address}
        : new String[] {label.owner(), bytes, held.get(i).toString(), address});
    }
    html.append("</table>\n");
  }

  private void row(String tag, String... cells) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append('<').append(tag).append('>').append(SvgText.escaped(cell)).append("</").append(tag).append('>');
    }
    html.append("</tr>\n");
  }

  private static String resource(String name) {
    try (InputStream in = PlanPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("a resource is missing: name=" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
