package dev.cairn.benchmarks.remat;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.remat.PublishedGraph.Planned;
import dev.cairn.runtime.memory.remat.RematProblem;
import dev.cairn.runtime.memory.remat.Word;
import dev.cairn.runtime.memory.remat.WordJudge;
import dev.cairn.runtime.memory.remat.chain.ChenWords;
import dev.cairn.runtime.memory.remat.chain.RevolveWord;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The search at the peaks that Chen's greedy rule reaches. */
final class CheckpointsTable implements RematTable {
  private static final double MOST_OF_CHEN = 1 / 3.0;
  private static final List<String> GRAPHS = List.of("vgg16_b256", "vgg19_b256", "unet_b32", "fcn8_b32_flops",
    "segnet_b32", "mobilenet_b512", "resnet50_b256");
  /** Graphs whose goal is stated. */
  private static final List<String> JUDGED = List.of("unet_b32", "mobilenet_b512", "resnet50_b256");

  @Override
  public String name() {
    return "checkpoints";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) throws IOException {
    var table = new MarkdownTable("graph", "Chen's least peak", "Chen, %", "search there, %", "at least, %",
      "Revolve there, %", "s");
    double worst = 0;
    for (String name : isQuick ? GRAPHS.subList(0, 1) : GRAPHS) {
      Optional<PublishedGraph> read = PublishedGraph.read(places, name);
      if (read.isEmpty()) {
        return Optional.empty();
      }
      PublishedGraph graph = read.get();
      RematProblem problem = graph.problem();
      int border = problem.nodes() / 2;
      Word chen = ChenWords.greedy(problem, border).stream().min(Comparator.<Word>comparingLong(word -> WordJudge.peak(
        problem, word)).thenComparingLong(word -> WordJudge.cost(problem, word))).orElseThrow();
      long peak = WordJudge.peak(problem, chen);
      Planned planned = graph.within(peak, isQuick ? QUICK_WORK : 0);
      double ours = planned.answer().overhead();
      if (JUDGED.contains(name)) {
        worst = Math.max(worst, ours / overhead(problem, chen));
      }
      OptionalDouble revolve = revolve(problem, border, peak);
      table.row(name, number(3, (double) peak / graph.peakBytes()), number(2, 100 * overhead(problem, chen)), number(2,
        100 * ours), number(2, 100 * planned.answer().overheadBound()),
        revolve.isEmpty()
          ? "-"
          : number(2, 100 * revolve.getAsDouble()),
        number(2, planned.seconds()));
    }
    return Optional.of(new Section("Beside checkpoints by Chen's greedy rule and Revolve",
      """
        Of Chen's words for thresholds from 0 to 2.95 times the peak of his √n rule, the one of the least peak; the
        search with default work within that peak; the cheapest of Revolve's words that fits it. Judged: the search's
        overhead over Chen's on U-Net, MobileNet and ResNet-50, at most a third.""", table, isQuick
        ? List.of()
        : List.of(Figure.judged("of-chen", worst, 3, Goal.atMost(MOST_OF_CHEN)))));
  }

  private static OptionalDouble revolve(RematProblem problem, int border, long budget) {
    return IntStream.rangeClosed(1, RevolveWord.states(problem, border)).mapToObj(states -> RevolveWord.of(problem,
      border, states)).flatMap(Optional::stream).filter(word -> WordJudge.peak(problem, word) <= budget).mapToDouble(
        word -> overhead(problem, word))
      .min();
  }

  private static double overhead(RematProblem problem, Word word) {
    return (double) (WordJudge.cost(problem, word) - problem.costOnce()) / problem.costOnce();
  }
}
