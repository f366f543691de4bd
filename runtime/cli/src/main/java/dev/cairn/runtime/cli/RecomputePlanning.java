package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.BytesOrPart;
import dev.cairn.runtime.cli.option.RecomputeOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeCsv;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch;
import dev.cairn.runtime.memory.recompute.search.RecomputePlanner;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Plans what a graph runs again within a capacity, from a file. */
final class RecomputePlanning {
  /** How many times the usual work a longer search takes. */
  private static final int SEARCH_TIMES = 20;

  private final Path file;
  private final RecomputeProblem problem;
  private final long peak;
  private final StringBuilder text = new StringBuilder();
  private final Map<String, Object> document = Json.document("plan");
  private Optional<Failure.Known> failure = Optional.empty();

  private RecomputePlanning(Path file) throws IOException {
    this.file = file;
    problem = read(file);
    peak = WordJudge.peak(problem, problem.givenOrder());
  }

  /** @param mode one of Cairn's own but off */
  static RecomputePlanning of(Path file, Optional<BytesOrPart> capacity, RecomputeMode mode, RecomputeOption recompute)
    throws IOException {
    var planning = new RecomputePlanning(file);
    planning.describe();
    if (capacity.isPresent()) {
      planning.plan(capacity.get().of(planning.peak), mode);
    }
    if (recompute.curve().isPresent()) {
      planning.draw(recompute.curve().get());
    }
    return planning;
  }

  String text() {
    return text.toString();
  }

  Map<String, Object> document() {
    return document;
  }

  /** What to say when nothing keeps to the capacity. */
  Optional<Failure.Known> failure() {
    return failure;
  }

  private void describe() {
    RecomputeProblem.Floor floor = problem.floor();
    line(String.format(Locale.ROOT, "problem  %s: %,d nodes, cost %,d, peak %,d in the given order", file,
      problem.nodes(), problem.costOnce(),
      peak));
    line(String.format(Locale.ROOT, "floor    %,d (%.1f %%): %s by itself, with its operands and results",
      floor.bytes(), percent(floor.bytes(),
        peak),
      floorName()));
    document.put("problem", file.toString());
    document.put("nodes", problem.nodes());
    document.put("costWithout", problem.costOnce());
    document.put("peakWithoutBytes", peak);
    document.put("floorBytes", floor.bytes());
    document.put("floorNode", floorName());
  }

  private void plan(long budget, RecomputeMode mode) {
    long start = System.nanoTime();
    RecomputeAnswer answer = switch (mode) {
      case EXACT -> ResidentSetSearch.answer(problem, budget);
      case SEARCH ->
        RecomputePlanner.plan(problem, budget, SEARCH_TIMES * RecomputePlanner.DEFAULT_WORK_PER_NODE * problem.nodes());
      default -> RecomputePlanner.plan(problem, budget);
    };
    long nanos = System.nanoTime() - start;
    document.put("budgetBytes", budget);
    document.put("fits", answer.fits());
    document.put("peakBytes", answer.peakBytes());
    document.put("cost", answer.cost());
    document.put("overhead", answer.overhead());
    document.put("optimal", answer.isOptimal());
    document.put("recomputations", answer.recomputations());
    document.put("word", Arrays.stream(answer.word().steps()).boxed().toList());
    document.put("searchNanos", nanos);
    if (answer.bound() < Long.MAX_VALUE) {
      document.put("bound", answer.bound());
      document.put("overheadBound", answer.overheadBound());
    }
    if (answer.fits()) {
      line(String.format(Locale.ROOT,
        "word     fits %,d by recomputation: %,d of %,d steps run again, +%.2f %% work (%s), peak %,d, found in "
          + "%.2f s",
        budget, answer.recomputations(), answer.word().length(), 100 * answer.overhead(),
        answer.isOptimal()
          ? "no word costs less"
          : String.format(Locale.ROOT, "at least +%.2f %%", 100 * answer.overheadBound()),
        answer.peakBytes(), nanos
          / 1e9));
    } else {
      String given = String.format(Locale.ROOT, "%,d", budget);
      line(budget < problem.floor().bytes()
        ? "word     nothing fits " + given + ", which is below the floor"
        : "word     none found that fits " + given + String.format(Locale.ROOT, "; the least peak found is %,d", answer
          .peakBytes()));
      failure = Optional.of(failure(answer));
    }
  }

  private Failure.Known failure(RecomputeAnswer answer) {
    long floor = answer.floor().bytes();
    if (answer.budgetBytes() < floor) {
      return new Failure.Known(ExitCode.OUT_OF_MEMORY, "no recomputation fits the capacity", String.format(Locale.ROOT,
        "%s alone holds %d with its operands and results, capacity %d, short by %d", floorName(), floor, answer
          .budgetBytes(),
        floor - answer.budgetBytes()), "raise --capacity to " + floor + ", the floor, or above");
    }
    return new Failure.Known(ExitCode.OUT_OF_MEMORY, "no recomputation was found that fits the capacity",
      "least peak found %d, capacity %d, floor %d".formatted(answer.peakBytes(), answer.budgetBytes(), floor),
      "raise --capacity to " + answer.peakBytes());
  }

  private String floorName() {
    return problem.nodes() == 0 ? "no node" : problem.name(problem.floor().node());
  }

  private void draw(Path curve) throws IOException {
    List<Path> files = BudgetCurve.of(String.valueOf(file.getFileName()), problem).write(curve);
    files.forEach(it -> line("wrote    " + it));
    document.put("files", files.stream().map(Path::toString).toList());
  }

  private void line(String words) {
    text.append(words).append(System.lineSeparator());
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }

  private static RecomputeProblem read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw unreadable(file, "no such file", "give the path of a graph");
    }
    if (Files.isDirectory(file)) {
      throw unreadable(file, "it is a folder", "give the path of a graph");
    }
    try {
      return RecomputeCsv.read(file);
    } catch (IllegalArgumentException e) {
      throw unreadable(file, String.valueOf(e.getMessage()), "fix the file there; its columns are "
        + "id,name,phase,cost,bytes,reads");
    } catch (CharacterCodingException e) {
      throw unreadable(file, "it is not UTF-8 text", "give a CSV file with the columns id,name,phase,cost,bytes,reads");
    }
  }

  private static Failure.Known unreadable(Path file, String reason, String remedy) {
    return new Failure.Known(ExitCode.INVALID_MODEL, "the graph cannot be read", file + ": " + reason, remedy);
  }
}
