package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.doctor.Diagnosis;
import dev.cairn.runtime.cli.doctor.Finding;
import dev.cairn.runtime.cli.doctor.HostProbe;
import dev.cairn.runtime.cli.doctor.Severity;
import dev.cairn.runtime.cli.option.CudaOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn doctor}: what was looked for, what was found, what to do. */
@Command
final class DoctorCommand extends CairnCommand {
  private final RuntimeOptions options;

  @Mixin
  private CudaOption cuda = new CudaOption();

  @Option(names = "--require-gpu", description = "Fail when no GPU can be used.")
  private boolean requireGpu;

  DoctorCommand(RuntimeOptions options) {
    this.options = options;
  }

  @Override
  ExitCode execute() {
    Diagnosis diagnosis = Diagnosis.of(HostProbe.look(cuda.search(options.environment())));
    print(text(diagnosis, verbosity().isVerbose()), document(diagnosis));
    Finding worst = diagnosis.worst();
    if (!diagnosis.runs() || (requireGpu && !diagnosis.hasGpu())) {
      throw new Failure.Known(ExitCode.MACHINE_LACKS, worst.cause(), worst.evidence(), worst.remedy());
    }
    return ExitCode.OK;
  }

  private static String text(Diagnosis diagnosis, boolean withAllEvidence) {
    var table = new Table("", "", "");
    for (Finding finding : diagnosis.findings()) {
      table.row(finding.severity().word(), finding.check(), finding.cause());
      if (withAllEvidence || finding.severity() != Severity.FINE) {
        line(table, finding.evidence());
        line(table, finding.remedy());
      }
    }
    return table.text("").stripLeading() + System.lineSeparator() + verdict(diagnosis);
  }

  private static void line(Table table, String text) {
    if (!text.isEmpty()) {
      table.row("", "", "  " + text);
    }
  }

  private static String verdict(Diagnosis diagnosis) {
    if (!diagnosis.runs()) {
      return "Cairn cannot run here.";
    }
    return diagnosis.hasGpu() ? "Cairn runs on the GPU here." : "Cairn runs on the processor here; no GPU can be used.";
  }

  private static Map<String, Object> document(Diagnosis diagnosis) {
    Map<String, Object> document = Json.document("doctor");
    document.put("runs", diagnosis.runs());
    document.put("gpu", diagnosis.hasGpu());
    List<Map<String, String>> checks = new ArrayList<>();
    for (Finding finding : diagnosis.findings()) {
      Map<String, String> check = new LinkedHashMap<>();
      check.put("check", finding.check());
      check.put("severity", finding.severity().name());
      check.put("cause", finding.cause());
      check.put("evidence", finding.evidence());
      check.put("remedy", finding.remedy());
      checks.add(check);
    }
    document.put("checks", checks);
    return document;
  }
}
