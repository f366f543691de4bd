package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.PlanningOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.StandAlonePlanning;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
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

/** Plans a problem by itself, from a file in MiniMalloc's format. */
final class ProblemPlanning {
  private ProblemPlanning() {}

  static PlanReport report(Path file, PlanningOption planning) throws IOException {
    MemoryProblem problem = read(file);
    StandAlonePlanning how = planning.standAlone();
    PlannerAnswer answer = PlannerAnswer.of(how.planner(), problem, how.budget());
    MemoryPlan plan = answer.plan().orElseThrow(() -> new Failure.Known(ExitCode.USAGE,
      "this planner does not know what the problem asks for", answer.refusal(), "leave --planner out, or try another"));
    PlanScore score = answer.score().orElseThrow();
    var verdict = verdict(score, planning.capacityBytes());
    Map<String, Object> document = Json.document("plan");
    document.put("problem", file.toString());
    document.put("buffers", problem.size());
    document.put("planner", score.planner());
    document.put("peakBytes", score.peakBytes());
    document.put("lowerBoundBytes", score.boundBytes());
    document.put("ratio", score.ratio());
    document.put("optimal", score.peakBytes() == score.boundBytes());
    document.put("nanos", answer.nanos());
    verdict.addTo(document);
    return new PlanReport(text(file, problem, answer, score, verdict), document, PlanView.of(String.valueOf(file
      .getFileName()), problem, plan), new PageFacts(verdict.sentences(), List.of()), verdict, failure(score, verdict));
  }

  private static String text(Path file, MemoryProblem problem, PlannerAnswer answer, PlanScore score,
    FitVerdict verdict) {
    return String.format(Locale.ROOT, """
      problem  %s: %,d buffers, times to %,d
      plan     peak %,d by %s in %s
      bound    %,d, the peak is %s times that%s
      """, file, problem.size(), problem.steps(), score.peakBytes(), score.planner(), answer.timeText(), score
        .boundBytes(), PlanComparison.ratio(score.ratio()), score.peakBytes() == score.boundBytes()
          ? ": no plan is smaller"
          : "")
      + (verdict.text().isEmpty() ? "" : "verdict  %s%n".formatted(verdict.exactText())) + verdict.advice("         ");
  }

  private static FitVerdict verdict(PlanScore score, long capacityBytes) {
    if (score.peakBytes() <= capacityBytes) {
      return FitVerdict.of(score.peakBytes(), capacityBytes);
    }
    return new FitVerdict(score.peakBytes(), capacityBytes, List.of(score.boundBytes() > capacityBytes
      ? "raise --capacity: no plan takes less than %d".formatted(score.boundBytes())
      : "try a longer --budget, or raise --capacity to %d".formatted(score.peakBytes())));
  }

  private static Failure.Known failure(PlanScore score, FitVerdict verdict) {
    boolean isProved = score.boundBytes() > verdict.limitBytes();
    return new Failure.Known(ExitCode.OUT_OF_MEMORY, isProved
      ? "the problem cannot fit the capacity"
      : "no plan was found that fits the capacity", "needs %d, capacity %d, short by %d; lower bound %d".formatted(
        verdict.neededBytes(), verdict.limitBytes(), verdict.shortBytes(), score.boundBytes()), String.join("; or ",
          verdict.remedies()));
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
      throw unreadable(file, String.valueOf(e.getMessage()), "mend the file there; its columns are id,lower,upper,size "
        + "and, if wanted, alignment; lifetimes are half-open");
    } catch (CharacterCodingException e) {
      throw unreadable(file, "it is no text in UTF-8", "give a CSV file with the columns id,lower,upper,size");
    }
  }

  private static Failure.Known unreadable(Path file, String reason, String remedy) {
    return new Failure.Known(ExitCode.INVALID_MODEL, "the problem cannot be read", file + ": " + reason, remedy);
  }
}
