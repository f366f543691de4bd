package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtException;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.session.SessionOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The engines that are compared, by the names that are typed. */
enum EngineChoice {
  CAIRN,
  /** ONNX Runtime's own Java interface. */
  ORT,
  /** Cairn computing in {@code bfloat16}. */
  BFLOAT16,
  /** Cairn with images as the model has them. */
  WITHOUT_LAYOUT,
  /** Cairn with each operator as a step of its own. */
  WITHOUT_FUSION,
  /** Cairn with kernels in Java alone. */
  WITHOUT_ONEDNN,
  /** Cairn with all convolutions computed directly. */
  WITHOUT_WINOGRAD;

  /** Cairn with one part switched off. */
  static final List<EngineChoice> PARTS = List.of(WITHOUT_LAYOUT, WITHOUT_FUSION, WITHOUT_ONEDNN,
    WITHOUT_WINOGRAD);

  /** @throws IllegalArgumentException with all names, when there is none of this name */
  static EngineChoice of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException(
        "no such engine: name=%s engines=%s".formatted(name, Arrays.toString(values()))));
  }

  /** Opens a model, up to where the next thing to do is a run. */
  EngineUnderTest open(Path model, int threads) throws OrtException {
    SessionOptions cairn = SessionOptions.DEFAULT.withThreads(threads);
    return switch (this) {
      case CAIRN -> CairnUnderTest.open(model, cairn);
      case ORT -> OrtUnderTest.open(model, threads);
      case BFLOAT16 -> CairnUnderTest.open(model, cairn.withCompile(cairn.compile().withPrecision(
        Precision.BFLOAT16)));
      case WITHOUT_LAYOUT -> CairnUnderTest.open(model, cairn.withCompile(cairn.compile().withChannelsLast(false)));
      case WITHOUT_FUSION -> CairnUnderTest.open(model, cairn.withCompile(cairn.compile().withFusion(
        FusionChoice.OFF)));
      case WITHOUT_ONEDNN -> CairnUnderTest.open(model, cairn.withDevice(DeviceOptions.CPU.withKernels(
        Wanted.VECTOR)));
      case WITHOUT_WINOGRAD -> CairnUnderTest.open(model, cairn.withDevice(DeviceOptions.CPU.withKernels(
        Wanted.ONEDNN)));
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
