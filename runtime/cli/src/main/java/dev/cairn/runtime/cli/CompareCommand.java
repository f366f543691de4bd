package dev.cairn.runtime.cli;

import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.cli.option.DeviceOption;
import dev.cairn.runtime.cli.option.HelpSection;
import dev.cairn.runtime.cli.option.InputFilesOption;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.ReplayOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.option.ToleranceOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code cairn compare}: runs a model twice and compares the result of every step: on a GPU and on the processor, or on
 * the processor and with its portable kernels.
 */
@Command
final class CompareCommand extends CairnCommand {
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private InputFilesOption files = new InputFilesOption();
  @Mixin
  private SessionOption sessionOption = new SessionOption();
  @Mixin
  private DeviceOption device = new DeviceOption();
  @Mixin
  private ReplayOption replay = new ReplayOption();
  @Mixin
  private ToleranceOption tolerance = new ToleranceOption();
  @HelpSection.In(HelpSection.STEPS)
  @Option(names = "--fused", description = "Compare fused operators as one node, as --fusion runs them, instead of "
    + "one by one. A GPU without NVRTC fuses nothing.")
  private boolean fused;
  private final RuntimeOptions runtime;

  CompareCommand(RuntimeOptions runtime) {
    this.runtime = runtime;
  }

  @Override
  ExitCode execute() throws IOException {
    DeviceOptions wanted = replay.on(device.options(runtime.environment()));
    if (wanted.kernels() == Wanted.PORTABLE) {
      throw new IllegalArgumentException("portable kernels are already the reference: --kernels=portable");
    }
    if (sessionOption.partLimit().isPresent()) {
      throw new Failure.Known(ExitCode.USAGE, "invalid input", "--memory-limit in percent: compare runs several plans",
        "give --memory-limit in bytes");
    }
    var progress = new Progress(runtime.terminal() && !verbosity().isQuiet());
    // The model is planned as usual. Then its graph after the passes is planned again, with every result as an output.
    try (ReadyModel ready = ReadyModel.open(ReadModel.of(model, progress), files.inputs(), this::planned,
      Optional.empty(), progress)) {
      Graph simplified = ready.session().compiled().orElseThrow(() -> notPlanned(ready.session())).graph().graph();
      Layers layers = Layers.of(simplified);
      SessionOptions options = sessionOption.sessionOptions(Map.of());
      SessionOptions asItIs = options.withCompile(options.compile().withSimplify(false));
      try (
        Session there = progress.during("planning", () -> Session.of(layers.graph(), asItIs.withDevice(wanted)));
        Session here = Session.of(layers.graph(), asItIs.withDevice(reference(there)));
        Result actual = progress.during("running on the device", () -> there.run(ready.tensors()));
        Result expected = progress.during("running the reference", () -> here.run(ready.tensors()))) {
        compare(layers, there, here, actual, expected);
      }
    }
    return ExitCode.OK;
  }

  /**
   * Unfused unless asked otherwise, so that the very node can be named; else as the device fuses, and the processor has
   * kernels for all of that.
   */
  private SessionOptions planned(Map<String, Shape> shapes) {
    SessionOptions options = sessionOption.sessionOptions(shapes);
    boolean wanted = fused || options.compile().fusion() == FusionChoice.ON;
    return wanted
      ? options.withCompile(options.compile().withFusion(FusionChoice.ON)).withDevice(unpacked(device.options(runtime
        .environment())))
      : options.withCompile(options.compile().withFusion(FusionChoice.OFF)).withDevice(unpacked(DeviceOptions.CPU));
  }

  /** Without kernels that pack constants: only their own plan can read these. */
  private static DeviceOptions unpacked(DeviceOptions options) {
    return options.withKernels(Wanted.VECTOR);
  }

  private static Failure.Known notPlanned(Session session) {
    return new Failure.Known(ExitCode.UNSUPPORTED, "only a model with a plan can be compared",
      session.unplannedReason().orElse("it has no plan"), "export it with shapes that do not depend on values");
  }

  /** The processor compared with itself would agree whatever it computes. */
  private static DeviceOptions reference(Session compared) {
    return compared.isHost() ? DeviceOptions.CPU.withKernels(Wanted.PORTABLE) : DeviceOptions.CPU;
  }

  private void compare(Layers layers, Session there, Session here, Result actual, Result expected) {
    var comparison = new OutputComparison(tolerance.rtol(), tolerance.atol());
    List<Layers.Layer> all = layers.layers();
    for (int i = 0; i < all.size(); i++) {
      Layers.Layer layer = all.get(i);
      TensorView value = actual.get(layer.output()).view();
      Optional<String> difference = comparison.difference(value, expected.get(layer.output()).view());
      if (difference.isPresent()) {
        throw new Failure.Known(ExitCode.COMPARISON_FAILED, "the device differs from the reference",
          "first at node=%s operator=%s layer=%d of=%d %s%s".formatted(layer.node(), layer.operator(), i + 1, all
            .size(), difference.get(), layer.members().size() > 1 ? " fused=" + layer.members() : ""),
          "raise --rtol or --atol if the difference is acceptable; else report this with the model");
      }
    }
    String where = where(there);
    Map<String, Object> document = Json.document("compare");
    document.put("device", where);
    String reference = where(here);
    document.put("reference", reference);
    document.put("layers", all.size());
    print(
      "all of %d layers agree within rtol=%s atol=%s%ndevice     %s%nreference  %s%n".formatted(all.size(), tolerance
        .rtol(), tolerance.atol(), where, reference),
      document);
  }

  private static String where(Session session) {
    return "%s (%s), kernels: %s".formatted(session.device(), session.deviceReason(), session.kernels());
  }
}
