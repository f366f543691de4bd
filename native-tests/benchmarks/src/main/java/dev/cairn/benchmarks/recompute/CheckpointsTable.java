package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.recompute.PublishedGraph.Planned;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.chain.ChenWords;
import dev.cairn.runtime.memory.recompute.chain.RevolveWord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The search at the peaks that Chen's greedy rule reaches. */
final class CheckpointsTable implements RecomputeTable {
  private static final List<String> GRAPHS = List.of("vgg16_b256", "vgg19_b256", "unet_b32", "fcn8_b32_flops",
    "segnet_b32", "mobilenet_b512", "resnet50_b256");

  /**
   * A goal for a part of the peak that Chen's greedy rule reaches.
   *
   * @param mostPercent about a third of that rule's overhead there
   */
  private record Stated(String graph, double part, double mostPercent) {}

  private static final List<Stated> STATED = List.of(new Stated("unet_b32", 0.8, 2), new Stated("mobilenet_b512", 0.365,
    4.1), new Stated("resnet50_b256", 0.356, 4.6));

  @Override
  public String name() {
    return "checkpoints";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) throws IOException {
    var table = new MarkdownTable("graph", "Chen's least peak", "Chen, %", "search there, %", "at least, %",
      "Revolve there, %", "s");
    double worst = 0;
    double provedWorst = 0;
    List<Figure> figures = new ArrayList<>();
    for (String name : isQuick ? GRAPHS.subList(0, 1) : GRAPHS) {
      Optional<PublishedGraph> read = PublishedGraph.read(places, name);
      if (read.isEmpty()) {
        return Optional.empty();
      }
      PublishedGraph graph = read.get();
      RecomputeProblem problem = graph.problem();
      int border = problem.nodes() / 2;
      Word chen = ChenWords.greedy(problem, border).stream().min(Comparator.<Word>comparingLong(word -> WordJudge.peak(
        problem, word)).thenComparingLong(word -> WordJudge.cost(problem, word))).orElseThrow();
      long peak = WordJudge.peak(problem, chen);
      Planned planned = graph.within(peak, isQuick ? QUICK_WORK : 0);
      double ours = planned.answer().overhead();
      Optional<Stated> stated = STATED.stream().filter(it -> it.graph.equals(name)).findFirst();
      if (stated.isPresent()) {
        worst = Math.max(worst, ours / overhead(problem, chen));
        provedWorst = Math.max(provedWorst, planned.answer().overheadBound() / overhead(problem, chen));
        figures.add(Figure.judged("%s@%s".formatted(name, number(3, stated.get().part)), 100 * graph.within(
          (long) (graph.peakBytes() * stated.get().part), 0).answer().overhead(), 2, Goal.atMost(stated
            .get().mostPercent)));
      }
      OptionalDouble revolve = revolve(problem, border, peak);
      table.row(name, number(3, (double) peak / graph.peakBytes()), number(2, 100 * overhead(problem, chen)), number(2,
        100 * ours), number(2, 100 * planned.answer().overheadBound()),
        revolve.isEmpty()
          ? "-"
          : number(2, 100 * revolve.getAsDouble()),
        number(2, planned.seconds()));
    }
    return Optional.of(section(table, isQuick
      ? List.of()
      : Stream.concat(figures.stream(), Stream.of(Figure.told("of-chen-least-peak", worst, 3), Figure.told(
        "of-chen-needed", provedWorst, 3))).toList()));
  }

  private static Section section(MarkdownTable table, List<Figure> figures) {
    return new Section("Beside checkpoints by Chen's greedy rule and Revolve",
      """
        Of Chen's words for thresholds from 0 to 2.95 times the peak of his √n rule, the one of the least peak; the
        search with default work within that peak; the cheapest of Revolve's words that fits it. Judged: the search's
        overhead, in %, at parts of the peak of U-Net, MobileNet and ResNet-50 where Chen's published rule has about
        three times the goal. Told: the worst of the search's overhead over Chen's in the table, on these three, and
        what of Chen's is proved to be needed there.""", table, figures);
  }

  private static OptionalDouble revolve(RecomputeProblem problem, int border, long budget) {
    return IntStream.rangeClosed(1, RevolveWord.states(problem, border)).mapToObj(states -> RevolveWord.of(problem,
      border, states)).flatMap(Optional::stream).filter(word -> WordJudge.peak(problem, word) <= budget).mapToDouble(
        word -> overhead(problem, word))
      .min();
  }

  private static double overhead(RecomputeProblem problem, Word word) {
    return (double) (WordJudge.cost(problem, word) - problem.costOnce()) / problem.costOnce();
  }
}
