package dev.cairn.benchmarks.fragmentation;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.MarkdownTable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The figures as a page of Markdown. The same figures always make the same text. */
record FragmentationPage(FragmentationFigures figures) {

  /** @param verdict the benchmark's last line */
  String text(LocalDate date, String verdict) {
    var text = new StringBuilder("""
      # Fragmentation: what the allocator needs beyond what is live

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      - Command: `native-tests/benchmarks/run.sh fragmentation --write`
      - Date: %s (UTC); the figures are of the sources alone, the same on every machine
      - Traces: MiniMalloc %s, sizes × %d; at each time frees before grants, both in the file's order
      - Verdict: `%s`
      """.formatted(date, String.join(" ", figures.traces()), NamedTrace.BYTES_OF_A_UNIT, verdict));
    if (!figures.skipped().isEmpty()) {
      text.append("- Skipped, no data: %s%n".formatted(String.join(", ", figures.skipped())));
    }
    return text.append(fixed()).append(growing()).append(variants()).toString();
  }

  private String fixed() {
    var table = new MarkdownTable(heads("smallest pool / peak live", "mean", "sure"));
    figures.fixed().forEach(it -> table.row(cells(it, FixedPool::smallest,
      number(3, it.mean(FixedPool::smallest)), number(3, it.mean(FixedPool::sure)))));
    return """

      ## Fixed pools

      The smallest single region that serves the whole trace, over the most bytes live at one time, tried in steps of
      1/%d of the latter; "mean" is geometric. Best fit is not monotone: "sure" is the mean of the pools from which on
      every larger one serves, too. The goal: a mean of at most %s.

      %s
      """.formatted(FixedPool.STEPS, number(2, FragmentationVerdict.MAX_FIXED), table);
  }

  private String growing() {
    var table = new MarkdownTable(heads("reserved / peak live", "mean", "%d rounds".formatted(GrowingPool.ROUNDS),
      "regions"));
    figures.growing().forEach(it -> table.row(cells(it, GrowingPool::reserved, number(3, it.mean(
      GrowingPool::reserved)), number(3, it.mean(GrowingPool::reservedAgain)), number(0,
        it.figures().stream().mapToInt(
          GrowingPool::regions).average().orElseThrow()))));
    return """

      ## Growing pools

      The most bytes reserved, over the most bytes live at one time, without a limit. Regions lie apart; those of "by
      page" adjoin. "rounds" is the mean after as many rounds of each trace in a row, "regions" how often the source
      was asked in the first, on average. The goal: a mean of at most %s with regions apart.

      %s
      """.formatted(number(2, FragmentationVerdict.MAX_GROWING), table);
  }

  private String variants() {
    var table = new MarkdownTable(Stream.concat(Stream.of("geometric means"), figures.variants().stream()).toArray(
      String[]::new));
    figures.fixed().forEach(it -> table.row(variantCells("fixed: ", it)));
    figures.growing().forEach(it -> table.row(variantCells("growing: ", it)));
    return """

      ## Variants

      The same traces changed, so that a policy that was chosen by the eleven shows what it is worth elsewhere.

      %s
      """.formatted(table);
  }

  private String[] heads(String first, String... last) {
    return Stream.of(Stream.of(first), figures.traces().stream(), Stream.of(last)).flatMap(it -> it).toArray(
      String[]::new);
  }

  private static <F> String[] cells(PolicyFigures<F> of, ToDoubleFunction<F> figure, String... last) {
    List<String> cells = new ArrayList<>(List.of(of.policy().name()));
    of.figures().forEach(it -> cells.add(number(2, figure.applyAsDouble(it))));
    cells.addAll(List.of(last));
    return cells.toArray(String[]::new);
  }

  private static String[] variantCells(String kind, PolicyFigures<?> of) {
    return Stream.concat(Stream.of(kind + of.policy().name()), of.variants().stream().map(it -> number(3, it))).toArray(
      String[]::new);
  }
}
