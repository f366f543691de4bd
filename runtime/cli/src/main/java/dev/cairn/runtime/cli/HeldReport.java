package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.report.plan.PageFacts;
import dev.cairn.runtime.report.plan.PlanAndRun;
import dev.cairn.runtime.report.plan.PlanPage;
import dev.cairn.runtime.report.plan.PlanView;
import dev.cairn.runtime.report.plan.RunMemory;
import dev.cairn.runtime.report.plan.RunMemoryRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a run held, beside its plan, and the page that shows both.
 *
 * @param planBytes the plan's peak
 * @param unplanned how many values the run held that the plan has no room for
 * @param share which part the run held of what the plan reserves, in bytes times steps
 */
record HeldReport(Path file, RunMemory memory, long planBytes, int unplanned, double share) {
  /**
   * Records one more run, and writes the page.
   *
   * @throws Failure.Known when the model has no plan as a whole
   */
  static HeldReport write(ReadyModel ready, RunMemoryRecorder recorder, PageFacts facts, Path file) throws IOException {
    CompiledGraph compiled = ready.session().compiled().orElseThrow(() -> new Failure.Known(ExitCode.USAGE,
      "there is no plan to draw", "the model runs in parts: " + ready.session().unplannedReason().orElse(""),
      "leave out --html; 'cairn plan --html' draws the largest part"));
    recorder.recordNext();
    ready.run();
    RunMemory memory = recorder.memory();
    PlanView view = new PlanView(ready.title(), "step", compiled.storage().problem(), compiled.plan(), PlanLabels.of(
      compiled)).withRun(memory);
    WholeFile.write(file, PlanPage.html(view, facts));
    var both = new PlanAndRun(view, memory);
    return new HeldReport(file, memory, compiled.score().peakBytes(), both.outside().size(), both.share());
  }

  String text() {
    return String.format(Locale.ROOT, "at most %s at step %d, of %s planned; %s; drawn in %s", StatsText.bytes(memory
      .peak().bytes()), memory.peak().step(), StatsText.bytes(planBytes), unplanned == 0
        ? "nothing outside of the plan"
        : unplanned + " values outside of the plan",
      file);
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("file", file.toString());
    document.put("peakBytes", memory.peak().bytes());
    document.put("peakStep", memory.peak().step());
    document.put("planBytes", planBytes);
    document.put("poolBytes", List.copyOf(memory.poolBytes()));
    document.put("mostBytesInUse", memory.mostInUse());
    document.put("unplannedValues", unplanned);
    document.put("heldShare", share);
    return document;
  }
}
