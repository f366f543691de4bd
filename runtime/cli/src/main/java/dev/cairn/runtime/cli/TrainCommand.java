package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.option.BytesOrPart;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.FileUse;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.option.TrainingOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.IterationPlan;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cairn train}: trains a network on rows or images; says before the first iteration what it will take. */
@Command
final class TrainCommand extends CairnCommand {
  private static final String ROW = "%-8s %-10s %-10s %s";

  @FileUse(FileUse.Kind.READ)
  @Parameters(index = "0", arity = "0..1", paramLabel = "MODEL", defaultValue = ModelAndData.MLP,
    description = "An ONNX file; lenet or resnet18, from new values; or mlp: layers of --widths with relu between. "
      + "Default: ${DEFAULT-VALUE}.")
  private String model = ModelAndData.MLP;
  @Mixin
  private TrainingOption training = new TrainingOption();
  @Mixin
  private SessionOption sessionOption = new SessionOption();
  @Mixin
  private DeviceOption device = new DeviceOption();
  private final RuntimeOptions runtime;

  TrainCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  String inputs() {
    return "correct the data, the checkpoint or the options; 'cairn help train' says what --data and --widths are";
  }

  @Override
  ExitCode execute() throws IOException {
    DeviceOptions wanted = device.options(runtime.environment());
    SessionOptions session = limited(sessionOption.sessionOptions(Map.of()).withDevice(wanted));
    Optional<Path> resumed = training.resume();
    Optional<Checkpoint> checkpoint = resumed.isPresent()
      ? Optional.of(Checkpoint.read(resumed.get()))
      : Optional.empty();
    try (var trained = TrainedModel.of(model, training, session)) {
      IterationPlan plan = trained.plan();
      Map<String, Object> document = Json.document("train");
      document.put("model", trained.title());
      document.put("plan", document(plan));
      printNow(head(trained, plan));
      trained.requireFits(plan, session.memory().limitBytes());
      checkpoint.ifPresent(trained::restore);
      printNow(String.format(Locale.ROOT, ROW, "epoch", "loss", "accuracy", "rows/s"));
      document.put("epochs", epochs(trained));
      document.put("peakBytes", trained.peakBytes());
      print("memory   peak %s of the planned %s%s".formatted(StatsText.bytes(trained.peakBytes()), StatsText.bytes(plan
        .totalBytes()), trained.skipped()), document);
      write(trained);
    }
    return ExitCode.OK;
  }

  /** With the limit that was given as a part of an iteration's plan, if one was. */
  private SessionOptions limited(SessionOptions options) throws IOException {
    Optional<BytesOrPart> part = sessionOption.partLimit();
    if (part.isEmpty()) {
      return options;
    }
    try (var unlimited = TrainedModel.of(model, training, options.withDevice(options.device().withLimitedMemory()))) {
      return options.withMemoryLimitBytes(part.get().limit(unlimited.plan().need()));
    }
  }

  private static String head(TrainedModel trained, IterationPlan plan) {
    return "model    %s%ndata     %s%nneeds    %s%n         gradients %s, activations %s at most at once%s"
      .formatted(
        trained.title(), trained.rows(), plan, StatsText.bytes(plan.gradientBytes()), StatsText.bytes(plan
          .activationBytes()),
        PlanComparison.price(plan.compiled(), "         "));
  }

  private List<Map<String, Object>> epochs(TrainedModel trained) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    while (trained.epoch() < training.epochs()) {
      TrainedModel.Figures figures = trained.runEpoch(this::warn);
      printNow(String.format(Locale.ROOT, ROW, trained.epoch(), String.format(Locale.ROOT, "%.6f", figures.loss()),
        String.format(Locale.ROOT, "%.4f", figures.accuracy()), String.format(Locale.ROOT, "%,.0f", figures
          .rowsPerSecond())));
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("epoch", trained.epoch());
      row.put("loss", figures.loss());
      row.put("accuracy", figures.accuracy());
      row.put("rowsPerSecond", figures.rowsPerSecond());
      rows.add(row);
      Optional<Path> file = training.checkpoint();
      if (file.isPresent()) {
        trained.checkpoint().write(file.get());
      }
    }
    return rows;
  }

  private void write(TrainedModel trained) throws IOException {
    Optional<Path> file = training.output();
    if (file.isPresent()) {
      Graph graph = trained.graph();
      OnnxWriter.write(graph, DeclaredOutputs.of(graph), file.get());
    }
  }

  private static Map<String, Object> document(IterationPlan plan) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("totalBytes", plan.totalBytes());
    document.put("peakBytes", plan.peakBytes());
    document.put("lowerBoundBytes", plan.boundBytes());
    document.put("unsharedBytes", plan.unsharedBytes());
    document.put("parameterBytes", plan.parameterBytes());
    document.put("stateBytes", plan.stateBytes());
    document.put("gradientBytes", plan.gradientBytes());
    document.put("activationBytes", plan.activationBytes());
    PlanComparison.addPrice(plan.compiled(), document);
    return document;
  }
}
