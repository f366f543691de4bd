package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.HeapBytes;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

/** The time of a node in a planned graph that is run again, and of a run itself, beside ONNX Runtime. */
final class NodeCostTable implements EngineTable {
  private static final Goal CHAIN = Goal.atMost(60);
  private static final Goal INDEPENDENT = Goal.atMost(80);
  private static final Goal RUN_MICROS = Goal.atMost(2);
  private static final Goal NONE = Goal.atMost(0);
  private static final Goal NO_SLOWER = Goal.atMost(1);
  private static final int NODES = 1000;
  private static final String TEXT = """
    Graphs of 1,000 nodes and of one, on one thread: the difference, over 999, is a node; the time of one node is a run.
    Cairn's nodes are four kernels by turns, none of which does anything; ONNX Runtime's are `Relu` on one element, with
    nothing optimised away. Bytes are what all threads allocate on the Java heap in a run of 1,000 nodes.
    """;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    try (var chain = new Replay(Replay.chain(NODES));
      var independent = new Replay(Replay.independent(NODES));
      var one = new Replay(Replay.chain(1));
      var theirs = new OrtReplay(Replay.reluChain(NODES));
      var theirOne = new OrtReplay(Replay.reluChain(1))) {
      int runs = Math.max(1, effort.operations() / NODES);
      List<DoubleSupplier> turns = List.of(turn(one::run, effort.operations()), turn(chain::run, runs),
        turn(independent::run, runs), turn(theirOne::run, runs), turn(theirs::run, runs));
      Rounds played = Rounds.played(effort.rounds(), turns);
      double bytes = HeapBytes.madeBy(() -> chain.run(runs)) / (double) runs;
      return section(played, bytes);
    }
  }

  private static Section section(Rounds played, double bytes) {
    double chain = perNode(played, 1, 0);
    double independent = perNode(played, 2, 0);
    double theirs = perNode(played, 4, 3);
    double run = played.of(0).median() / 1e3;
    double theirRun = played.of(3).median() / 1e3;
    List<Figure> figures = List.of(Figure.judged("replay-chain-ns", chain, 1, CHAIN),
      Figure.judged("replay-independent-ns", independent, 1, INDEPENDENT),
      Figure.judged("replay-chain/ort", chain / theirs, 2, NO_SLOWER),
      Figure.judged("replay-run-us", run, 2, RUN_MICROS), Figure.judged("replay-bytes", bytes, 0, NONE));
    var table = new MarkdownTable("replay", "Cairn", "ONNX Runtime", "goal")
      .row("chain, ns a node", one(chain), one(theirs), CHAIN.toString())
      .row("independent nodes, ns a node", one(independent), "", INDEPENDENT.toString())
      .row("a run, µs", MarkdownTable.number(2, run), MarkdownTable.number(2, theirRun), RUN_MICROS.toString())
      .row("heap, bytes a run", one(bytes), "", NONE.toString());
    System.err.println("replay: " + figures);
    return new Section("Replay of a planned graph", TEXT, table, figures);
  }

  /** From the median of long runs and that of short ones. */
  private static double perNode(Rounds played, int many, int one) {
    Sample all = played.of(many);
    return (all.median() - played.of(one).median()) / (NODES - 1);
  }

  /** Nanoseconds a run. */
  private static DoubleSupplier turn(IntConsumer replay, int runs) {
    return () -> {
      long begin = System.nanoTime();
      replay.accept(runs);
      return (System.nanoTime() - begin) / (double) runs;
    };
  }

  private static String one(double value) {
    return MarkdownTable.number(1, value);
  }
}
