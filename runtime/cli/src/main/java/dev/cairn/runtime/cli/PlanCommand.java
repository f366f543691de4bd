package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.PlanFilesOption;
import dev.cairn.runtime.cli.option.PlanningOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn plan}: what a model will take, without running it; or a problem by itself, from a file. */
@Command
final class PlanCommand extends CairnCommand {
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private PlanningOption planning = new PlanningOption();
  @Mixin
  private PlanFilesOption files = new PlanFilesOption();

  @Override
  ExitCode execute() throws IOException {
    requireOneSubject();
    files.requireWritable();
    PlanReport report = planning.csv().isPresent()
      ? ProblemPlanning.report(planning.csv().get(), planning)
      : ModelPlanning.report(model, planning, verbosity().isVerbose());
    List<Path> written = files.write(report.view(), report.facts());
    Map<String, Object> document = report.document();
    document.put("files", written.stream().map(Path::toString).toList());
    StringBuilder text = new StringBuilder(report.text());
    written.forEach(it -> text.append("wrote    ").append(it).append(System.lineSeparator()));
    print(text.toString(), document);
    if (report.failure().isPresent()) {
      throw report.failure().get();
    }
    return ExitCode.OK;
  }

  private void requireOneSubject() {
    if (planning.csv().isPresent() && model.isNamed()) {
      throw misuse("a model and a problem at once: model=%s csv=%s".formatted(model.name(), planning.csv().get()),
        "give one of them");
    }
    if (planning.csv().isPresent() && planning.memoryLimit().isPresent()) {
      throw misuse("--memory-limit is for a model, with its weights and results", "give --capacity with --csv");
    }
    if (planning.csv().isEmpty() && planning.capacity().isPresent()) {
      throw misuse("--capacity is for a problem: there is no --csv", "give --memory-limit for a model");
    }
  }

  private static Failure.Known misuse(String evidence, String remedy) {
    return new Failure.Known(ExitCode.USAGE, "the options contradict one another", evidence, remedy);
  }
}
