package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.cli.npy.NpyFile;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.OutputOption;
import dev.cairn.runtime.cli.option.RepeatOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.option.TensorFilesOption;
import dev.cairn.runtime.cli.option.Verbosity;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn run}: plans a model, runs it, and says what happened. */
@Command
final class RunCommand implements Callable<Integer>, HasVerbosity {
  @Spec
  private CommandSpec spec = CommandSpec.create();
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private TensorFilesOption files = new TensorFilesOption();
  @Mixin
  private RepeatOption repeat = new RepeatOption();
  @Mixin
  private SessionOption sessionOption = new SessionOption();
  @Mixin
  private DeviceOption device = new DeviceOption();
  @Mixin
  private OutputOption output = new OutputOption();
  @Mixin
  private Verbosity verbosity = new Verbosity();
  private final RuntimeOptions runtime;

  RunCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  public Verbosity verbosity() {
    return verbosity;
  }

  @Override
  public Integer call() throws IOException {
    verbosity.apply();
    requireDevice();
    var progress = new Progress(runtime.terminal() && !verbosity.isQuiet());
    long started = System.nanoTime();
    Graph graph = progress.during("reading " + model.name(), model::load);
    long loaded = System.nanoTime();
    try (RunInputs inputs = RunInputs.ofFiles(files.inputs())) {
      Map<String, TensorType> types = InputBinding.ofShapes(graph, shapes(inputs));
      inputs.generating(types, model.seed());
      Map<String, Shape> bound = new TreeMap<>();
      types.forEach((name, type) -> bound.put(name, type.shape()));
      long opening = System.nanoTime();
      try (Session session = progress.during("planning", () -> Session.of(graph, sessionOption.sessionOptions(bound)))) {
        var phases = new RunReport.Phases(loaded - started, System.nanoTime() - opening);
        RunReport report = run(session, inputs, progress, phases);
        output.print(spec.commandLine().getOut(), report.text(), report.document());
      }
    }
    return ExitCode.OK.number();
  }

  private void requireDevice() {
    if (!device.isKnown()) {
      throw new Failure.Known(ExitCode.USAGE, "no such kind of device", "device=" + device.given(),
        "use cpu, cuda:0 or auto");
    }
    if (device.needsGpu()) {
      throw new Failure.Known(ExitCode.MACHINE_LACKS, "a GPU was required, and this version of Cairn cannot use one",
        "device=%s; only the cpu device is built in".formatted(device.given()),
        "run without --require-gpu and with --device cpu");
    }
  }

  /** The shapes given by option, and those of the files. */
  private Map<String, Shape> shapes(RunInputs inputs) {
    Map<String, Shape> shapes = new TreeMap<>(model.shapes());
    inputs.tensors().forEach((name, tensor) -> shapes.putIfAbsent(name, tensor.shape()));
    return shapes;
  }

  private RunReport run(Session session, RunInputs inputs, Progress progress, RunReport.Phases phases) throws IOException {
    progress.repeat("warming up", repeat.warmup(), () -> session.run(inputs.tensors()).close());
    List<Long> nanos = new ArrayList<>();
    long deadline = System.nanoTime() + repeat.durationNanos();
    progress.repeat("running", repeat.iterations() - 1, () -> time(session, inputs, nanos));
    while (repeat.durationNanos() > 0 && System.nanoTime() < deadline) {
      time(session, inputs, nanos);
    }
    long last = System.nanoTime();
    try (Result result = session.run(inputs.tensors())) {
      nanos.add(System.nanoTime() - last);
      new OutputComparison(files.rtol(), files.atol()).require(result, files.references());
      export(result, new Latencies(nanos));
      List<OutputSummary> outputs = result.names().stream().map(it -> OutputSummary.of(it, result.get(it).view())).toList();
      PlanComparison plans = PlanComparison.of(session.compiled().orElseThrow());
      return new RunReport(describe(session), "%s (%s)".formatted(session.device(), device.reason()), plans, new Latencies(
        nanos), repeat.percentiles(), outputs, session.memoryStats(), phases);
    }
  }

  private String describe(Session session) {
    return model.isReference() ? "%s (reference model, seed %d)".formatted(model.name(), model.seed()) : "%s (%s)".formatted(
      model.name(), session.info().name());
  }

  private static void time(Session session, RunInputs inputs, List<Long> nanos) {
    long started = System.nanoTime();
    session.run(inputs.tensors()).close();
    nanos.add(System.nanoTime() - started);
  }

  private void export(Result result, Latencies latencies) throws IOException {
    Path times = files.times();
    if (times != null) {
      Files.writeString(times, latencies.lines());
    }
    Path folder = files.outputs();
    if (folder != null) {
      Files.createDirectories(folder);
      for (String name : result.names()) {
        NpyFile.write(result.get(name).view(), folder.resolve(name.replaceAll("[^A-Za-z0-9._-]", "_") + ".npy"));
      }
    }
  }
}
