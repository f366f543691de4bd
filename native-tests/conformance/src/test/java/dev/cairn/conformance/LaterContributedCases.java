package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Random models of operators of domain com.microsoft for which ONNX Runtime 1.29 has no kernel: what they compute is
 * judged where they are read, and here only what damage does to them.
 */
final class LaterContributedCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();
  private static final String DOMAIN = "com.microsoft::";

  private LaterContributedCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put(DOMAIN + "GatedAdd", it -> {
      Shape shape = it.shape(1, 4);
      it.input(it.floats(shape, -2, 2)).input(it.floats(shape, -2, 2)).input(it.floats(shape.with(-1, 1), -2, 2));
    });
    all.put(DOMAIN + "GatedRMSNorm", it -> {
      long size = it.extent();
      Shape shape = Shape.of(it.number(1, 3), it.number(1, 4), size * it.number(1, 3));
      it.input(it.floats(shape, -2, 2)).constant(it.floats(Shape.of(size), 0.5, 2)).input(it.floats(shape, -2, 2)).with(
        "activation", it.oneOf("silu", "swish", "sigmoid")).with("epsilon", 1e-3f);
    });
    all.put(DOMAIN + "LinearAttentionGate", it -> {
      Shape shape = Shape.of(it.number(1, 3), it.number(1, 4), it.extent());
      Shape heads = Shape.of(shape.extent(-1));
      it.input(it.floats(shape, -5, 5)).constant(it.floats(heads, -1, 1)).constant(it.floats(heads, -1, 0)).input(it
        .floats(shape, -5, 5)).outputs(2);
    });
    all.put(DOMAIN + "EngramGate", it -> {
      boolean projects = it.coin();
      Shape streams = Shape.of(it.number(1, 2), it.number(1, 3), it.number(1, 3), 4);
      Shape tokens = Shape.of(streams.extent(0), streams.extent(1), 4);
      Shape scales = Shape.of(streams.extent(2), 4);
      it.input(it.floats(projects ? tokens : streams, -1, 1)).input(it.floats(streams, -1, 1));
      if (projects) {
        it.constant(it.floats(Shape.of(streams.extent(2), 4, 4), -1, 1)).absent().constant(it.floats(Shape.of(4, 4), -1,
          1)).absent();
      } else {
        it.input(it.floats(tokens, -1, 1));
      }
      for (int i = 0; i < 3; i++) {
        it.constant(it.floats(scales, -1, 1));
      }
      it.outputs(2);
    });
    all.put(DOMAIN + "NGramHashMapping", it -> {
      int most = it.number(2, 4);
      int heads = it.number(1, 2);
      Shape sizes = Shape.of((most - 1L) * heads);
      it.input(it.tensor(DType.INT64, Shape.of(2, it.number(1, 6)), 0, 50)).constant(it.tensor(DType.INT64, Shape.of(
        most), 1, 99)).constant(it.tensor(DType.INT64, sizes, 50, 99)).absent()
        .constant(it.tensor(DType.INT64, sizes, 0,
          9))
        .constant(it.tensor(DType.INT64, Shape.SCALAR, 0, 5)).with("max_ngram_size", most).with("n_head_per_ngram",
          heads)
        .with("pad_id", 0).with("reset_on_eos", it.number(0, 1)).outputs(2);
    });
    return all;
  }
}
