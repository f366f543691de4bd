package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import dev.cairn.runtime.memory.ProblemCsv;
import dev.cairn.runtime.memory.planner.BestFitPortfolio;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints ratio to the bound and seconds of the improving planner beside the greedy portfolio, for problem files or, by
 * default, the large recorded ones of {@code -Dcairn.shared}. The first row of a fresh JVM is the slowest.
 */
final class ImprovingTable {
  private static final List<String> FILES = List.of("G_1", "resnet50", "pangu_2.6B", "S_1");

  private ImprovingTable() {}

  public static void main(String[] args) throws IOException {
    Path data = Path.of(System.getProperty("cairn.shared", "../shared"), "data", "idealloc");
    List<Path> files = args.length > 0
      ? List.of(args).stream().map(Path::of).toList()
      : FILES.stream().map(name -> data.resolve(name + ".csv")).toList();
    Map<String, MemoryPlanner> planners = new LinkedHashMap<>();
    planners.put("0 moves", new ImprovingPlanner(0));
    planners.put("default", ImprovingPlanner.DEFAULT);
    planners.put("20000 moves", new ImprovingPlanner(20_000));
    planners.put("2 s", ImprovingPlanner.within(Duration.ofSeconds(2)));
    planners.put("portfolio", BestFitPortfolio.ALL);
    for (Path file : files) {
      MemoryProblem problem = ProblemCsv.read(file);
      for (Map.Entry<String, MemoryPlanner> planner : planners.entrySet()) {
        long begun = System.nanoTime();
        MemoryPlan plan = planner.getValue().plan(problem);
        double seconds = (System.nanoTime() - begun) / 1e9;
        PlanValidator.requireValid(problem, plan);
        System.out.printf(Locale.ROOT, "%-16s %6d buffers %-12s %.6f %7.3f s%n", file.getFileName(), problem.size(),
          planner.getKey(), PlanScore.of(problem, plan).ratio(), seconds);
      }
    }
  }
}
