package dev.cairn.benchmarks.gpu;

import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * One model as it is measured.
 *
 * @param tokens of one text, for models that read text
 */
record ModelCase(String model, int batch, int tokens, Precision precision) {
  private static final int TOKENS = 128;

  /** The models and batches that the goals are about, in float32 and float16. */
  static List<ModelCase> all() {
    List<ModelCase> all = new ArrayList<>();
    for (Precision precision : List.of(Precision.AS_WRITTEN, Precision.FLOAT16)) {
      List.of(1, 8, 32).forEach(batch -> all.add(new ModelCase("resnet50", batch, TOKENS, precision)));
      List.of(1, 8).forEach(batch -> all.add(new ModelCase("bert_base", batch, TOKENS, precision)));
      all.add(new ModelCase("gpt2", 1, TOKENS, precision));
    }
    return List.copyOf(all);
  }

  /** What shows that all works. */
  static List<ModelCase> tiny() {
    return List.of(new ModelCase("mlp", 1, 4, Precision.AS_WRITTEN), new ModelCase("mlp", 2, 4, Precision.FLOAT16));
  }

  Graph graph() {
    return Zoo.build(model, ZooOptions.DEFAULT.withBatch(batch).withSequenceLength(tokens));
  }

  /** {@code float32} or {@code float16}: what is computed in. */
  String number() {
    return precision.half().map(Object::toString).orElse("float32");
  }

  /** Without spaces: {@code resnet50-b8-float16}. */
  String key() {
    return "%s-b%d-%s".formatted(model, batch, number());
  }
}
