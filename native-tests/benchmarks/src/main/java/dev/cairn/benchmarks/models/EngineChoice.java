package dev.cairn.benchmarks.models;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** The engines that are compared, by the names that are typed. */
enum EngineChoice {
  CAIRN,
  /** ONNX Runtime's own Java interface. */
  ORT;

  /** @throws IllegalArgumentException with all names, when there is none of this name */
  static EngineChoice of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException(
        "no such engine: name=%s engines=%s".formatted(name, Arrays.toString(values()))));
  }

  /** Opens a model, up to where the next thing to do is a run. */
  EngineUnderTest open(Path model, int threads) throws OrtException {
    return switch (this) {
      case CAIRN -> CairnUnderTest.open(model, threads);
      case ORT -> OrtUnderTest.open(model, threads);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
