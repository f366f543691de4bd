package dev.cairn.runtime.cli;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.cli.option.BenchOption;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.InputFilesOption;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.RepeatOption;
import dev.cairn.runtime.cli.option.ReplayOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.session.MemoryGrowth;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn bench}: times a model under load, and compares it with how it was. */
@Command
final class BenchCommand extends CairnCommand {
  private static final Duration WAITING_TIME = Duration.ofSeconds(10);

  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private InputFilesOption files = new InputFilesOption();
  @Mixin
  private RepeatOption repeat = new RepeatOption();
  @Mixin
  private BenchOption bench = new BenchOption();
  @Mixin
  private SessionOption sessionOption = new SessionOption();
  @Mixin
  private DeviceOption device = new DeviceOption();
  @Mixin
  private ReplayOption replay = new ReplayOption();
  private final RuntimeOptions runtime;

  BenchCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() throws IOException {
    device.options(runtime.environment());
    Path before = bench.baseline();
    Optional<Baseline> baseline = before == null ? Optional.empty() : Optional.of(Baseline.read(before));
    var progress = new Progress(runtime.terminal() && !verbosity().isQuiet());
    try (ReadyModel ready = ReadyModel.open(ReadModel.of(model, progress), files.inputs(), this::sessionOptions,
      sessionOption.partLimit(),
      progress)) {
      String measured = "%s %s, %d at a time".formatted(ready.session().info().name(), new TreeMap<>(ready.inputs()
        .types()), bench.concurrency());
      baseline.ifPresent(it -> it.requireSame(measured));
      BenchTimes times = times(ready::run, progress);
      OptionalDouble overhead = overhead(ready, times, progress);
      Optional<Baseline.Verdict> verdict = baseline.map(it -> new Baseline.Verdict(it, times.medianNanos(), bench
        .tolerancePercent()));
      var report = new BenchReport(ready.title(), "%s (%s)".formatted(ready.session().device(), ready.session()
        .deviceReason()), measured, sessionOptions(Map.of()), bench.concurrency(), repeat, times,
        ready.session().memoryStats(), ready.session().compiled(), overhead, verdict);
      print(report.text(), report.document());
      write(report, times);
      verdict.ifPresent(Baseline.Verdict::require);
    }
    return ExitCode.OK;
  }

  private SessionOptions sessionOptions(Map<String, Shape> shapes) {
    SessionOptions options = sessionOption.sessionOptions(shapes);
    MemoryOptions memory = options.memory();
    // Each thread closes its result before its next run.
    boolean waits = bench.concurrency() > 1 && memory.waitingTime().isZero();
    return options.withMemory(waits ? memory.withWaitingTime(WAITING_TIME) : memory).withMaxConcurrentRuns(bench
      .concurrency()).withDevice(replay.on(device.options(runtime.environment())));
  }

  /** What keeping to the limit costs: the median over that of the same model without a limit; empty where nothing. */
  private OptionalDouble overhead(ReadyModel ready, BenchTimes times, Progress progress) {
    if (ready.session().compiled().map(it -> PlanComparison.price(it, "")).orElse("").isEmpty()) {
      return OptionalDouble.empty();
    }
    Map<String, Shape> shapes = new TreeMap<>();
    ready.inputs().types().forEach((name, type) -> shapes.put(name, type.shape()));
    SessionOptions options = sessionOptions(shapes);
    MemoryOptions unlimited = options.memory().withLimitBytes(Long.MAX_VALUE).withGrowth(MemoryGrowth.AS_REQUESTED);
    try (Session whole = progress.during("planning without the limit", () -> Session.of(ready.graph(), options
      .withMemory(unlimited).withDevice(options.device().withLimitedMemory())))) {
      BenchTimes without = times(() -> whole.run(ready.tensors()).close(), progress);
      return OptionalDouble.of((double) times.medianNanos() / without.medianNanos() - 1);
    } catch (OutOfMemory e) {
      // The device has no room for it: then there is nothing to compare with.
      return OptionalDouble.empty();
    }
  }

  private BenchTimes times(Runnable run, Progress progress) {
    try (var load = new BenchLoad(run, bench.concurrency(), bench.times() != null, runtime.clock())) {
      try (Progress.Ticks ticks = progress.ticks("warming up", repeat.warmup())) {
        load.run(repeat.warmup(), 0, ticks);
      }
      try (Progress.Ticks ticks = progress.ticks("timing", repeat.durationNanos() > 0 ? -1 : repeat.iterations())) {
        return load.run(repeat.iterations(), repeat.durationNanos(), ticks);
      }
    }
  }

  private void write(BenchReport report, BenchTimes times) throws IOException {
    Path lines = bench.times();
    if (lines != null) {
      WholeFile.write(lines, times.lines());
    }
    Path save = bench.save();
    if (save != null) {
      WholeFile.write(save, Json.text(report.document()) + "\n");
    }
  }
}
