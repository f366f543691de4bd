package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.recompute.PublishedGraph.Planned;
import dev.cairn.runtime.memory.recompute.LayerRule;
import dev.cairn.runtime.memory.recompute.LayerRule.ForwardLayer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.cut.RecomputeBound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How long the planner takes by size, with one thread: transformers in training. */
final class SearchTimeTable implements RecomputeTable {
  private static final int PART = 5;
  private static final double MOST_OVER_BOUND = 1.05;

  private record Size(int blocks, double mostSeconds, double mostSecondsOfBound) {}

  private static final List<Size> SIZES = List.of(new Size(12, 1, 0.1), new Size(36, 5, 0.5), new Size(360, 20, 5));

  @Override
  public String name() {
    return "time";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) {
    var table = new MarkdownTable("nodes", "s", "goal, s", "s of the bound alone", "goal, s", "overhead, %",
      "at least, %", "cost / bound");
    List<Figure> figures = new ArrayList<>();
    double worst = 0;
    for (Size size : isQuick ? SIZES.subList(0, 1) : SIZES) {
      RecomputeProblem problem = transformer(size.blocks);
      long budget = WordJudge.peak(problem, problem.givenOrder()) / PART;
      long started = System.nanoTime();
      RecomputeBound.of(problem, budget);
      double ofBound = (System.nanoTime() - started) / 1e9;
      Planned planned = PublishedGraph.planned(problem, budget, 0);
      double ratio = planned.answer().fits()
        ? (double) planned.answer().cost() / planned.answer().bound()
        : Double.POSITIVE_INFINITY;
      worst = Math.max(worst, ratio);
      figures.add(Figure.judged("s@%d".formatted(problem.nodes()), planned.seconds(), 2, Goal.atMost(
        size.mostSeconds)));
      figures.add(Figure.judged("bound-s@%d".formatted(problem.nodes()), ofBound, 2, Goal.atMost(
        size.mostSecondsOfBound)));
      table.row(Integer.toString(problem.nodes()), number(2, planned.seconds()), number(0, size.mostSeconds), number(2,
        ofBound), number(1, size.mostSecondsOfBound), number(2, 100 * planned.answer().overhead()),
        number(2,
          100 * planned.answer().overheadBound()),
        number(4, ratio));
    }
    figures.add(Figure.judged("over-bound", worst, 4, Goal.atMost(MOST_OVER_BOUND)));
    return Optional.of(new Section("Time by size",
      """
        Transformers in training, with blocks of 14 layers, at a fifth of the peak; default work, one thread, each
        problem once. The first row's times include the compilation by the JVM of what the tables above have not run.
        """, table, figures));
  }

  private static RecomputeProblem transformer(int blocks) {
    List<ForwardLayer> layers = new ArrayList<>(List.of(ForwardLayer.of("embedding", 10, 8)));
    for (int block = 0; block < blocks; block++) {
      int x = layers.size() - 1;
      int s = layers.size();
      add(layers, 8, 8, x);
      add(layers, 100, 8, s);
      add(layers, 100, 8, s);
      add(layers, 100, 8, s);
      add(layers, 60, 16, s + 1, s + 2);
      add(layers, 16, 16, s + 4);
      add(layers, 60, 8, s + 5, s + 3);
      add(layers, 100, 8, s + 6);
      add(layers, 8, 8, s + 7, x);
      add(layers, 8, 8, s + 8);
      add(layers, 400, 32, s + 9);
      add(layers, 32, 32, s + 10);
      add(layers, 400, 8, s + 11);
      add(layers, 8, 8, s + 12, s + 8);
    }
    return LayerRule.training(layers, 1, 1);
  }

  private static void add(List<ForwardLayer> layers, long cost, long bytes, Integer... inputs) {
    layers.add(ForwardLayer.of("layer " + layers.size(), cost, bytes, inputs));
  }
}
