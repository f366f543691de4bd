package dev.cairn.runtime.cli;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.ModelInfo;
import dev.cairn.runtime.Result;
import dev.cairn.runtime.Session;
import dev.cairn.runtime.Tensor;
import dev.cairn.runtime.cli.npy.NpyFile;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.MemoryDumpOption;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.NamedFile;
import dev.cairn.runtime.cli.option.RepeatOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.option.TensorFilesOption;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn run}: plans a model, runs it, and says what happened. */
@Command
final class RunCommand extends CairnCommand {
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
  private MemoryDumpOption memoryDump = new MemoryDumpOption();
  private final RuntimeOptions runtime;

  RunCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() throws IOException {
    requireDevice();
    var progress = new Progress(runtime.terminal() && !verbosity().isQuiet());
    Map<String, TensorView> references = NamedFile.read(files.references());
    long started = System.nanoTime();
    Graph graph = progress.during("reading " + model.name(), model::load);
    long loaded = System.nanoTime();
    try (var inputs = new RunInputs(NamedFile.read(files.inputs()))) {
      Map<String, TensorType> types = InputTypes.of(graph, inputs.shapes(model.shapes()));
      inputs.generate(types, model.seed());
      InputBinding.ofTypes(graph, inputs.types());
      Map<String, Shape> bound = new TreeMap<>();
      types.forEach((name, type) -> bound.put(name, type.shape()));
      long opening = System.nanoTime();
      try (
        Session session = progress.during("planning", () -> Session.of(graph, sessionOption.sessionOptions(bound)))) {
        requireOutputs(session.info(), references.keySet());
        var phases = new RunReport.Phases(loaded - started, System.nanoTime() - opening);
        run(session, inputs.tensors(), progress, phases, references);
      }
    }
    return ExitCode.OK;
  }

  @Override
  Optional<Path> dump(OutOfMemory failure, PrintWriter err) {
    try {
      return memoryDump.write(failure);
    } catch (IOException e) {
      // Told, but it must not hide the failure that it was to explain.
      err.println("cairn: the memory dump could not be written: " + Failure.of(e).evidence());
      return Optional.empty();
    }
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

  private static void requireOutputs(ModelInfo model, Set<String> wanted) {
    for (String name : wanted) {
      if (!model.outputs().contains(name)) {
        throw new IllegalArgumentException("no such output: output=%s outputs=%s".formatted(name, model.outputs()));
      }
    }
  }

  /** Warms up, runs, tells; the comparison comes last, so that what differs can be looked at. */
  private void run(Session session, Map<String, Tensor> inputs, Progress progress, RunReport.Phases phases,
    Map<String, TensorView> references) throws IOException {
    progress.repeat("warming up", repeat.warmup(), () -> session.run(inputs).close());
    List<Long> nanos = new ArrayList<>();
    long deadline = System.nanoTime() + repeat.durationNanos();
    progress.repeat("running", repeat.iterations() - 1, () -> time(session, inputs, nanos));
    while (repeat.durationNanos() > 0 && System.nanoTime() < deadline) {
      time(session, inputs, nanos);
    }
    long last = System.nanoTime();
    try (Result result = session.run(inputs)) {
      nanos.add(System.nanoTime() - last);
      var latencies = new Latencies(nanos);
      List<OutputSummary> outputs = result.names().stream().map(it -> OutputSummary.of(it, result.get(it).view()))
        .toList();
      PlanComparison plans = PlanComparison.of(session.compiled().orElseThrow(RunCommand::notPlanned));
      var report = new RunReport(describe(session), "%s (%s)".formatted(session.device(), device.reason()), plans,
        latencies,
        repeat.percentiles(), outputs, session.memoryStats(), phases);
      print(report.text(), report.document());
      export(result, latencies);
      var comparison = new OutputComparison(files.rtol(), files.atol());
      references.forEach((name, reference) -> comparison.require(name, result.get(name).view(), reference));
    }
  }

  private String describe(Session session) {
    return model.isReference()
      ? "%s (reference model, seed %d)".formatted(model.name(), model.seed())
      : "%s (%s)".formatted(
        model.name(), session.info().name());
  }

  private static Failure.Known notPlanned() {
    return new Failure.Known(ExitCode.UNSUPPORTED, "this model runs without a plan, and there is none to report",
      "a shape in it depends on a value that is only known when it runs", "run it through the Java API");
  }

  private static void time(Session session, Map<String, Tensor> inputs, List<Long> nanos) {
    long started = System.nanoTime();
    session.run(inputs).close();
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
      Set<String> taken = new HashSet<>();
      for (String name : result.names()) {
        String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
        String file = plain;
        for (int number = 2; !taken.add(file); number++) {
          file = plain + "_" + number;
        }
        NpyFile.write(result.get(name).view(), folder.resolve(file + ".npy"));
      }
    }
  }
}
