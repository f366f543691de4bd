package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;
import java.util.Locale;

/** What calling ONNX Runtime from Java costs on top of what it does. */
final class BridgeTable implements FigureTable {
  private static final String TEXT = """
    A call of C's `labs` by the same kind of native call as those of ONNX Runtime's arena. An operation of the
    tables above makes two such calls, a drain one.
    """;

  @Override
  public String name() {
    return "bridge";
  }

  @Override
  public Section measured(Effort effort) {
    var timer = new JmhTimer(effort);
    Sample nanos = Rounds.played(effort.rounds(), List.of(() -> timer.single(Trial.ofNothing(effort.pairs())))).of(0);
    System.err.printf(Locale.ROOT, "bridge: call=%.2fns%n", nanos.median());
    return new Section("The bridge to ONNX Runtime", TEXT, new MarkdownTable("call", "ns (spread)").row("a call",
      nanos.withSpread()), List.of(Figure.told("native-call-ns", nanos.median(), 2)));
  }
}
