package dev.cairn.benchmarks.gpu;

import dev.cairn.runtime.backend.DeviceOptions.FloatMath;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One model as it is measured.
 *
 * @param tokens of one text, for models that read text
 * @param computed in what
 */
record ModelCase(String model, int batch, int tokens, Computed computed) {
  /** The precision in which a {@code float32} model is computed. */
  enum Computed {
    FLOAT32(Precision.AS_WRITTEN, FloatMath.FP32),
    /** Products with 10 bits of fraction. */
    TF32(Precision.AS_WRITTEN, FloatMath.TF32),
    FLOAT16(Precision.FLOAT16, FloatMath.FP32);

    private final Precision precision;
    private final FloatMath math;

    Computed(Precision precision, FloatMath math) {
      this.precision = precision;
      this.math = math;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int TOKENS = 128;

  /** The models and batches that the goals are about, in float32, tf32 and float16. */
  static List<ModelCase> all() {
    List<ModelCase> all = new ArrayList<>();
    for (Computed computed : Computed.values()) {
      List.of(1, 8, 32).forEach(batch -> all.add(new ModelCase("resnet50", batch, TOKENS, computed)));
      List.of(1, 8).forEach(batch -> all.add(new ModelCase("bert_base", batch, TOKENS, computed)));
      all.add(new ModelCase("gpt2", 1, TOKENS, computed));
    }
    return List.copyOf(all);
  }

  /** Small cases, which show that all works. */
  static List<ModelCase> tiny() {
    return List.of(new ModelCase("mlp", 1, 4, Computed.FLOAT32), new ModelCase("mlp", 2, 4, Computed.FLOAT16));
  }

  Graph graph() {
    return Zoo.build(model, ZooOptions.DEFAULT.withBatch(batch).withSequenceLength(tokens));
  }

  Precision precision() {
    return computed.precision;
  }

  FloatMath math() {
    return computed.math;
  }

  /** The name without spaces: {@code resnet50-b8-float16}. */
  String key() {
    return "%s-b%d-%s".formatted(model, batch, computed);
  }
}
