package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.PlanningOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.StandAlonePlanning;
import dev.cairn.runtime.memory.DeviceFit;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.MemoryLimits;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanRemedy;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.report.plan.PageFacts;
import dev.cairn.runtime.report.plan.PlanView;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Plans a problem by itself, from a file in MiniMalloc's format. */
final class ProblemPlanning {
  private ProblemPlanning() {}

  static PlanReport report(Path file, PlanningOption planning) throws IOException {
    MemoryProblem problem = read(file);
    StandAlonePlanning.Solution solution = solve(problem, planning);
    PlanScore score = PlanScore.of(problem, solution.plan());
    FitText fit = fit(problem, solution, planning);
    Map<String, Object> document = Json.document("plan");
    document.put("problem", file.toString());
    document.put("buffers", problem.size());
    document.put("planner", score.planner());
    document.put("peakBytes", score.peakBytes());
    document.put("lowerBoundBytes", score.boundBytes());
    document.put("ratio", score.ratio());
    document.put("optimal", solution.isOptimal());
    document.put("provenBytes", solution.provenBytes());
    document.put("nanos", solution.nanos());
    fit.addTo(document);
    String name = String.valueOf(file.getFileName());
    return new PlanReport(text(file, problem, solution, score) + fitText(fit), document, PlanView.of(name,
      problem, solution.plan()), new PageFacts(fit.sentences(), List.of(), ""),
      fit.fits()
        ? Optional.empty()
        : Optional.of(failure(fit)));
  }

  private static StandAlonePlanning.Solution solve(MemoryProblem problem, PlanningOption planning) {
    try {
      return planning.standAlone().solve(problem, planning.capacity().orElse(Long.MAX_VALUE));
    } catch (IllegalArgumentException e) {
      throw new Failure.Known(ExitCode.USAGE, "this planner does not support the problem's features", String.valueOf(e
        .getMessage()), "omit --planner, or try another");
    }
  }

  private static String text(Path file, MemoryProblem problem, StandAlonePlanning.Solution solution, PlanScore score) {
    String proved = solution.isOptimal()
      ? ": no plan is smaller"
      : solution.provenBytes() > score.boundBytes()
        ? String.format(Locale.ROOT, "; no plan is smaller than %,d", solution.provenBytes())
        : "";
    return String.format(Locale.ROOT, """
      problem  %s: %,d buffers, times to %,d
      plan     peak %,d by %s in %.2f ms
      bound    %,d, the peak is %s times that%s
      """, file, problem.size(), problem.steps(), score.peakBytes(), score.planner(), solution.nanos() / 1e6, score
      .boundBytes(), PlanComparison.ratio(score.ratio()), proved);
  }

  private static String fitText(FitText fit) {
    return fit.text().isEmpty() ? "" : "verdict  %s%n%s".formatted(fit.text(), fit.advice("         "));
  }

  private static FitText fit(MemoryProblem problem, StandAlonePlanning.Solution solution, PlanningOption planning) {
    MemoryLimits limits = MemoryLimits.NONE;
    if (planning.capacity().isPresent()) {
      for (Pool pool : solution.plan().pools()) {
        limits = limits.with(pool.device(), planning.capacity().getAsLong());
      }
    }
    FitVerdict verdict = FitVerdict.of(problem, solution.plan(), limits);
    List<DeviceFit> devices = verdict.devices(); // what is proved of several is of all together
    String search = "a longer --budget" + (planning.standAlone().planner().isPresent() ? ", or no --planner" : "");
    return new RemedyWords("--capacity", search, PlanRemedy.SmallerBatch::toString, Long::toString)
      .text(devices.size() == 1 ? verdict.withBound(devices.getFirst().device(), solution.provenBytes()) : verdict);
  }

  private static Failure.Known failure(FitText fit) {
    return fit.failure(fit.device().isHopeless()
      ? "the problem cannot fit the capacity"
      : "no plan was found that fits the capacity", "capacity");
  }

  private static MemoryProblem read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw unreadable(file, "no such file", "give the path of a problem");
    }
    if (Files.isDirectory(file)) {
      throw unreadable(file, "it is a folder", "give the path of a problem");
    }
    try {
      return ProblemCsv.read(file);
    } catch (IllegalArgumentException e) {
      throw unreadable(file, String.valueOf(e.getMessage()), "fix the file there; its columns are id,lower,upper,size "
        + "and optionally alignment,gaps,offset; upper is the time after the last");
    } catch (CharacterCodingException e) {
      throw unreadable(file, "it is not UTF-8 text", "give a CSV file with the columns id,lower,upper,size");
    }
  }

  private static Failure.Known unreadable(Path file, String reason, String remedy) {
    return new Failure.Known(ExitCode.INVALID_MODEL, "the problem cannot be read", file + ": " + reason, remedy);
  }
}
