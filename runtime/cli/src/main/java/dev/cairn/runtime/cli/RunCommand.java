package dev.cairn.runtime.cli;

import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.device.ThreadTimes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.option.AllocationTraceOption;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.InputFilesOption;
import dev.cairn.runtime.cli.option.MemoryDumpOption;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.NamedFile;
import dev.cairn.runtime.cli.option.ProfileOption;
import dev.cairn.runtime.cli.option.RepeatOption;
import dev.cairn.runtime.cli.option.ReplayOption;
import dev.cairn.runtime.cli.option.RunPageOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.option.TensorFilesOption;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.report.plan.RunMemoryRecorder;
import dev.cairn.runtime.session.ModelInfo;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.value.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn run}: plans a model, runs it, and says what happened. */
@Command
final class RunCommand extends CairnCommand {
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private InputFilesOption inputs = new InputFilesOption();
  @Mixin
  private TensorFilesOption files = new TensorFilesOption();
  @Mixin
  private RepeatOption repeat = new RepeatOption();
  @Mixin
  private SessionOption sessionOption = new SessionOption();
  @Mixin
  private DeviceOption device = new DeviceOption();
  @Mixin
  private ReplayOption replay = new ReplayOption();
  @Mixin
  private MemoryDumpOption memoryDump = new MemoryDumpOption();
  @Mixin
  private AllocationTraceOption allocationTrace = new AllocationTraceOption();
  @Mixin
  private ProfileOption profile = new ProfileOption();
  @Mixin
  private RunPageOption page = new RunPageOption();
  private final RuntimeOptions runtime;

  RunCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() throws IOException {
    DeviceOptions wanted = replay.on(device.options(runtime.environment()));
    var progress = new Progress(runtime.terminal() && !verbosity().isQuiet());
    Map<String, TensorView> references = NamedFile.read(files.references());
    Tracer tracer = profile.newTracer();
    var memory = page.file().map(_ -> new RunMemoryRecorder());
    if (memory.isPresent() && sessionOption.sessionOptions(Map.of()).memory().guardBytes() > 0) {
      throw new Failure.Known(ExitCode.USAGE, "conflicting options", "--html draws pools as they were granted, and "
        + "--memory-guard moves them", "give only one of them");
    }
    ReadModel read = ReadModel.of(model, progress);
    printNow(RunReport.line("model", read.title()));
    try (AllocationTraceOption.Recording recording = allocationTrace.begin();
      ReadyModel ready = ReadyModel.open(read, inputs.inputs(), shapes -> sessionOption.sessionOptions(shapes)
        .withDevice(wanted).withObservers(memory.isEmpty() ? tracer : RunObserver.Source.all(tracer, memory.get()))
        .withMemoryListener(memory.isEmpty()
          ? recording.listener()
          : Listeners.of(recording.listener(), memory
            .get())),
        sessionOption.partLimit(),
        progress)) {
      requireNamedOutputs(ready.session().info(), references.keySet());
      run(ready, progress, tracer, memory, references);
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

  private static void requireNamedOutputs(ModelInfo model, Set<String> wanted) {
    for (String name : wanted) {
      if (!model.outputs().contains(name)) {
        throw new IllegalArgumentException("no such output: output=%s outputs=%s".formatted(name, model.outputs()));
      }
    }
  }

  /**
   * Says how the model was planned, warms up, runs, prints; the comparison comes last, so that what differs can be
   * looked at.
   */
  private void run(ReadyModel ready, Progress progress, Tracer tracer, Optional<RunMemoryRecorder> memory,
    Map<String, TensorView> references) throws IOException {
    Optional<OutputFiles> exported = Optional.ofNullable(files.outputs()).map(folder -> OutputFiles.at(folder,
      ready.session().info().outputs()));
    if (exported.isPresent()) {
      requireOutputs("--export-output", exported.get().byOutput().values());
    }
    Session session = ready.session();
    RunPlan plan = RunPlan.of(ready, printsAll());
    var opening = new RunOpening("%s (%s)".formatted(session.device(), session.deviceReason()), session.kernels(), plan,
      ready.phases());
    printNow(opening.text());
    progress.repeat("warming up", repeat.warmup(), ready::run);
    // This comes before the last run, whose results stay open, so that it needs no more memory than the other runs.
    Optional<HeldReport> held = memory.isEmpty()
      ? Optional.empty()
      : Optional.of(HeldReport.write(ready, memory.get(), plan.facts(), page.file().orElseThrow()));
    tracer.clear();
    List<Long> nanos = new ArrayList<>();
    ThreadTimes before = runtime.threadTimes().get();
    LongSupplier clock = runtime.clock();
    long began = clock.getAsLong();
    progress.repeat("running", repeat.iterations() - 1, () -> time(ready, nanos));
    while (clock.getAsLong() - began < repeat.durationNanos()) {
      time(ready, nanos);
    }
    long last = clock.getAsLong();
    try (Result result = session.run(ready.tensors())) {
      nanos.add(clock.getAsLong() - last);
      var latencies = new Latencies(nanos);
      var waits = new WaitReport(runtime.threadTimes().get().minus(before), sessionOption.sessionOptions(Map.of())
        .threads());
      List<OutputSummary> outputs = result.names().stream().flatMap(it -> OutputSummary.all(it, result.value(it)))
        .toList();
      Path traced = profile.file();
      Optional<ProfileReport> slowest = traced == null
        ? Optional.empty()
        : Optional.of(ProfileReport.write(tracer.trace(), traced));
      var report = new RunReport(ready.title(), opening, latencies, repeat.percentiles(), waits,
        outputs,
        session.memoryStats(),
        slowest, held);
      print(report.text(), report.document());
      export(exported, result, latencies);
      var comparison = new OutputComparison(files.rtol(), files.atol());
      references.forEach((name, reference) -> comparison.require(name, result.get(name).view(), reference));
    }
  }

  private void time(ReadyModel ready, List<Long> nanos) {
    long started = runtime.clock().getAsLong();
    ready.run();
    nanos.add(runtime.clock().getAsLong() - started);
  }

  private void export(Optional<OutputFiles> outputs, Result result, Latencies latencies) throws IOException {
    Path times = files.times();
    if (times != null) {
      WholeFile.write(times, latencies.lines());
    }
    if (outputs.isPresent()) {
      outputs.get().write(result);
    }
  }
}
