package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.text.FigureText;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.report.profile.ProfileJson;
import dev.cairn.runtime.report.profile.StepTimes;
import dev.cairn.runtime.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The slowest steps of the runs that were recorded, and the file that has them all. */
record ProfileReport(Path file, int runs, List<StepTimes> slowest) {
  private static final int TOLD = 10;

  /** Writes the file. */
  static ProfileReport write(Trace trace, Path file) throws IOException {
    WholeFile.write(file, out -> ProfileJson.write(trace, out));
    List<StepTimes> times = StepTimes.of(trace);
    return new ProfileReport(file, trace.runs().size(), times.subList(0, Math.min(TOLD, times.size())));
  }

  String text(String indent) {
    var table = new Table("operator", "node", "median", "share");
    for (StepTimes it : slowest) {
      table.row(it.known().operator(), it.known().node(), FigureText.time(it.medianNanos()),
        String.format(Locale.ROOT, "%.1f %%", it.share() * 100));
    }
    return "%d run%s in %s, for ui.perfetto.dev; the slowest steps:%n%s".formatted(runs, runs == 1 ? "" : "s", file,
      table.text(indent));
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("file", file.toString());
    document.put("runs", runs);
    document.put("slowest", slowest.stream().map(ProfileReport::document).toList());
    return document;
  }

  private static Map<String, Object> document(StepTimes it) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("operator", it.known().operator());
    document.put("node", it.known().node());
    document.put("types", it.known().types());
    document.put("kernel", it.known().kernel());
    document.put("medianNanos", it.medianNanos());
    document.put("totalNanos", it.totalNanos());
    document.put("share", it.share());
    return document;
  }
}
