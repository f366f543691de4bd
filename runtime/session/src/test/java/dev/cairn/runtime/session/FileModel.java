package dev.cairn.runtime.session;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A model whose weights lie in a mapped file.
 *
 * @param mapped all of the file
 */
record FileModel(Path file, MemorySegment mapped) {
  static final int WIDTH = 256;
  private static final int LAYERS = 10;
  private static final int CHANNELS = 64;
  static final int ROWS = 2;
  /** Numbers in the file. */
  static final long WEIGHTS = (long) LAYERS * WIDTH * WIDTH + CHANNELS * CHANNELS * 9 + 512 * WIDTH;
  /** An odd number of bytes, so that nothing in the file is aligned. */
  private static final int HEAD = 13;

  static FileModel written(Path folder) throws IOException {
    Path file = folder.resolve("weights.bin");
    float[] values = new float[(int) WEIGHTS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (Math.sin(i * 0.37) / 16);
    }
    byte[] bytes = new byte[HEAD + values.length * Float.BYTES];
    MemorySegment.copy(values, 0, MemorySegment.ofArray(bytes), ValueLayout.JAVA_FLOAT_UNALIGNED, HEAD, values.length);
    Files.write(file, bytes);
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new FileModel(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto()));
    }
  }

  /** Weights from the file, in its order; each call takes the next. */
  private BiFunction<String, Shape, TensorView> inFile() {
    long[] at = {HEAD};
    return (name, shape) -> {
      var type = new TensorType(DType.FLOAT32, shape);
      at[0] += type.bytes();
      return new TensorView(type, mapped.asSlice(at[0] - type.bytes(), type.bytes()));
    };
  }

  Graph graph() {
    return model(inFile());
  }

  private static TensorView small(int salt) {
    float[] values = new float[CHANNELS];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.5f + (i * 5 + salt) % 7 / 16f;
    }
    return TensorView.ofFloats(Shape.of(CHANNELS), values);
  }

  /**
   * A table, products of which the first weight is read again at the end, and a convolution with its normalisation,
   * which is folded into it.
   */
  static Graph model(BiFunction<String, Shape, TensorView> weights) {
    var builder = new GraphBuilder("deep");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, ROWS, WIDTH));
    NodeEntry ids = builder.input("ids", TensorType.of(DType.INT64, ROWS));
    NodeEntry at = builder.apply("Add", x,
      builder.apply("Gather", builder.constant("table", weights.apply("table", Shape
        .of(512, WIDTH))), ids));
    List<NodeEntry> products = new ArrayList<>();
    for (int layer = 0; layer < LAYERS; layer++) {
      products.add(builder.constant("w" + layer, weights.apply("w" + layer, Shape.of(WIDTH, WIDTH))));
      at = builder.apply("Tanh", builder.apply("MatMul", at, products.getLast()));
    }
    at = builder.apply("MatMul", at, products.getFirst());
    NodeEntry image = builder.apply("Reshape", at, builder.constant("image", TensorView.ofLongs(ROWS, CHANNELS, 2, 2)));
    NodeEntry folded = builder.apply("Conv", Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1)), image,
      builder.constant("filter", weights.apply("filter", Shape.of(CHANNELS, CHANNELS, 3, 3))));
    folded = builder.apply("BatchNormalization", folded, builder.constant("s", small(1)), builder.constant("b", small(
      2)), builder.constant("m", small(3)), builder.constant("v", small(4)));
    builder.output("y", builder.apply("Relu", folded));
    builder.output("z", at);
    return builder.build();
  }

  /** Both results of a run. */
  static List<float[]> run(Session session, int salt) {
    float[] values = new float[ROWS * WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.cos(i * 0.9 + salt);
    }
    try (Tensor x = Tensor.of(values, ROWS, WIDTH);
      Tensor ids = Tensor.of(new long[] {salt, 511 - salt}, ROWS);
      Result result = session.run(Map.of("x", x, "ids", ids))) {
      return List.of(result.get("y").toFloatArray(), result.get("z").toFloatArray());
    }
  }
}
