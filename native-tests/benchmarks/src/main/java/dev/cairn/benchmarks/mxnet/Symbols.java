package dev.cairn.benchmarks.mxnet;

import dev.cairn.benchmarks.mxnet.SymbolNode.Output;
import dev.cairn.runtime.memory.planner.nnvm.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The graphs that are compared. MXNet says its bytes in whole MiB, so a random graph's tensors are that many rows of a
 * MiB each.
 */
final class Symbols {
  /** Elements of a row: a MiB as MXNet counts, 4 bytes an element. */
  private static final long ROW = 1L << 18;
  private static final long MOST_ROWS = 64;
  private static final String[] UNARY = {"relu", "sigmoid", "negative", "abs"};
  private static final ElementType[] TYPES = {ElementType.of("float64", 8), ElementType.of("float16", 2),
    ElementType.of("int32", 4), ElementType.FLOAT32};

  private Symbols() {}

  /** Operators that run in place and that don't, copies, casts, several outputs of which some are never read. */
  static SymbolGraph random(long seed) {
    var random = new SplittableRandom(seed);
    var builder = new SymbolBuilder();
    List<Output> made = new ArrayList<>();
    made.add(builder.variable(1L + random.nextInt(8), ROW));
    made.add(builder.variable(1L + random.nextInt(8), ROW));
    int variables = made.size();
    for (int i = 6 + random.nextInt(40); i > 0; i--) {
      Output x = made.get(Math.max(0, made.size() - 1 - random.nextInt(random.nextInt(4) == 0 ? made.size() : 4)));
      grow(random, builder, x, made);
    }
    List<Output> outputs = new ArrayList<>(List.of(made.getLast()));
    for (int i = random.nextInt(3); i > 0; i--) {
      outputs.add(made.get(variables + random.nextInt(made.size() - variables)));
    }
    return builder.graph("random " + seed, outputs);
  }

  private static void grow(SplittableRandom random, SymbolBuilder builder, Output x, List<Output> made) {
    long rows = builder.shape(x).getFirst();
    int parts = rows % 3 == 0 ? 3 : rows % 2 == 0 ? 2 : 1;
    switch (random.nextInt(9)) {
      case 0 -> made.add(builder.copy(x));
      case 1 -> made.add(builder.cast(x, TYPES[random.nextInt(TYPES.length)]));
      case 2 -> made.add(builder.add(x, alike(random, builder, x, made)));
      case 3 -> made.add(builder.sumRows(x));
      case 4 -> made.add(rows == 1 ? builder.repeatRow(x, 1 + random.nextLong(MOST_ROWS)) : builder.unary("square", x));
      case 5 -> made.add(rows < MOST_ROWS ? builder.concat(List.of(x, x), 0) : builder.sumRows(x));
      case 6 -> made.addAll(builder.split(x, parts));
      default -> made.add(builder.unary(UNARY[random.nextInt(UNARY.length)], x));
    }
  }

  /** Some tensor of the same shape and type, at worst the same. */
  private static Output alike(SplittableRandom random, SymbolBuilder builder, Output x, List<Output> made) {
    List<Output> alike = made.stream().filter(it -> builder.shape(it).equals(builder.shape(x))
      && builder.type(it).equals(builder.type(x))).toList();
    return alike.get(random.nextInt(alike.size()));
  }

  /** ResNet-50's inference, normalisations folded into the convolutions. */
  static SymbolGraph residual(long batch) {
    var builder = new SymbolBuilder();
    Output x = builder.variable(batch, 3L, 224L, 224L);
    x = builder.pooling(builder.unary("relu", builder.convolution(x, 64, 7, 2)), 3, 2);
    int[] blocks = {3, 4, 6, 3};
    for (int stage = 0; stage < blocks.length; stage++) {
      long width = 64L << stage;
      for (int block = 0; block < blocks[stage]; block++) {
        int stride = stage > 0 && block == 0 ? 2 : 1;
        Output y = builder.unary("relu", builder.convolution(x, width, 1, 1));
        y = builder.unary("relu", builder.convolution(y, width, 3, stride));
        y = builder.convolution(y, 4 * width, 1, 1);
        Output shortcut = block == 0 ? builder.convolution(x, 4 * width, 1, stride) : x;
        x = builder.unary("relu", builder.add(y, shortcut));
      }
    }
    return builder.graph("ResNet-50, batch " + batch, List.of(builder.fullyConnected(x, 1000)));
  }

  /** VGG-16's inference: a chain of sizes that shrink. */
  static SymbolGraph chain(long batch) {
    var builder = new SymbolBuilder();
    Output x = builder.variable(batch, 3L, 224L, 224L);
    int[] convolutions = {2, 2, 3, 3, 3};
    for (int stage = 0; stage < convolutions.length; stage++) {
      for (int i = 0; i < convolutions[stage]; i++) {
        x = builder.unary("relu", builder.convolution(x, Math.min(512L, 64L << stage), 3, 1));
      }
      x = builder.pooling(x, 3, 2);
    }
    x = builder.unary("relu", builder.fullyConnected(x, 4096));
    return builder.graph("VGG-16, batch " + batch, List.of(builder.fullyConnected(x, 1000)));
  }

  /** DenseNet-121's inference: every layer reads what all before it in its block made. */
  static SymbolGraph dense(long batch) {
    var builder = new SymbolBuilder();
    Output x = builder.variable(batch, 3L, 224L, 224L);
    x = builder.pooling(builder.unary("relu", builder.convolution(x, 64, 7, 2)), 3, 2);
    int[] layers = {6, 12, 24, 16};
    for (int block = 0; block < layers.length; block++) {
      for (int i = 0; i < layers[block]; i++) {
        Output y = builder.convolution(builder.unary("relu", x), 128, 1, 1);
        y = builder.convolution(builder.unary("relu", y), 32, 3, 1);
        x = builder.concat(List.of(x, y), 1);
      }
      if (block + 1 < layers.length) {
        x = builder.pooling(builder.convolution(builder.unary("relu", x), builder.shape(x).get(1) / 2, 1, 1), 3, 2);
      }
    }
    return builder.graph("DenseNet-121, batch " + batch, List.of(builder.fullyConnected(x, 1000)));
  }
}
