package dev.cairn.benchmarks.written;

import static dev.cairn.benchmarks.written.WrittenModel.ints;
import static dev.cairn.benchmarks.written.WrittenModel.text;
import static dev.cairn.benchmarks.written.WrittenModel.whole;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Models of one operator each, of sizes that real models have. */
public final class OperatorModels {
  private static final long SEED = 41;
  private static final long HIDDEN = 64;

  private OperatorModels() {}

  /** All of them, by name. */
  public static Map<String, Supplier<WrittenModel>> all() {
    Map<String, Supplier<WrittenModel>> models = new LinkedHashMap<>();
    models.put("resize", OperatorModels::resize);
    models.put("conv-transpose", OperatorModels::convTranspose);
    models.put("lstm", () -> recurrent("LSTM", 4, whole("hidden_size", HIDDEN)));
    models.put("gru", () -> recurrent("GRU", 3, whole("hidden_size", HIDDEN), whole(
      "linear_before_reset", 1)));
    models.put("non-max-suppression", OperatorModels::nonMaxSuppression);
    models.put("top-k", OperatorModels::topK);
    models.put("einsum-attention", OperatorModels::einsumAttention);
    models.put("grid-sample", OperatorModels::gridSample);
    models.put("scatter-nd", OperatorModels::scatter);
    return models;
  }

  private static WrittenModel resize() {
    WrittenModel model = WrittenModel.of(SEED);
    String image = model.input("image", DType.FLOAT32, 1, 64, 128, 128);
    String larger = model.node("Resize", List.of(image, "", model.floats(new float[] {1, 1, 2, 2}, 4)), text("mode",
      "linear"));
    model.output(larger, DType.FLOAT32, 1, 64, 256, 256);
    return model;
  }

  private static WrittenModel convTranspose() {
    WrittenModel model = WrittenModel.of(SEED + 1);
    String image = model.input("image", DType.FLOAT32, 1, 64, 64, 64);
    String larger = model.node("ConvTranspose", List.of(image, model.weights(64, 64, 2, 2), model.weights(64)), ints(
      "strides", 2, 2));
    model.output(larger, DType.FLOAT32, 1, 64, 128, 128);
    return model;
  }

  private static WrittenModel recurrent(String cell, long gates, AttributeProto... attributes) {
    WrittenModel model = WrittenModel.of(SEED + 2);
    String steps = model.input("steps", DType.FLOAT32, 128, 1, 64);
    String all = model.node(cell, List.of(steps, model.weights(1, gates * HIDDEN, 64), model.weights(1, gates * HIDDEN,
      HIDDEN), model.weights(1, 2 * gates * HIDDEN)), attributes);
    model.output(all, DType.FLOAT32, 128, 1, 1, HIDDEN);
    return model;
  }

  /** Boxes of 20 to 120 pixels in an image of 640, of which half have a score above the threshold. */
  private static WrittenModel nonMaxSuppression() {
    int count = 10_000;
    WrittenModel model = WrittenModel.of(SEED + 3);
    var random = new SplittableRandom(SEED);
    float[] boxes = new float[4 * count];
    for (int i = 0; i < boxes.length; i++) {
      boxes[i] = (float) (i % 4 < 2 ? random.nextDouble(0, 640) : random.nextDouble(20, 120));
    }
    String scores = model.input("scores", DType.FLOAT32, 1, 1, count);
    String kept = model.node("NonMaxSuppression", List.of(model.floats(boxes, 1, count, 4), scores, model.longs(300),
      model.filled(0.5, 1), model.filled(0, 1)), whole("center_point_box", 1));
    model.output(kept, DType.INT64, -1, 3);
    return model;
  }

  private static WrittenModel topK() {
    WrittenModel model = WrittenModel.of(SEED + 4);
    String scores = model.input("scores", DType.FLOAT32, 1, 100_000);
    List<String> best = model.nodes("TopK", List.of(scores, model.longs(100)), 2);
    model.output(best.get(0), DType.FLOAT32, 1, 100);
    model.output(best.get(1), DType.INT64, 1, 100);
    return model;
  }

  private static WrittenModel einsumAttention() {
    WrittenModel model = WrittenModel.of(SEED + 5);
    String queries = model.input("queries", DType.FLOAT32, 1, 8, 128, 64);
    String keys = model.input("keys", DType.FLOAT32, 1, 8, 128, 64);
    String values = model.input("values", DType.FLOAT32, 1, 8, 128, 64);
    String scores = model.node("Einsum", List.of(queries, keys), text("equation", "bhqd,bhkd->bhqk"));
    String scaled = model.node("Mul", List.of(scores, model.filled(0.125)));
    String shares = model.node("Softmax", List.of(scaled), whole("axis", 3));
    String mixed = model.node("Einsum", List.of(shares, values), text("equation", "bhqk,bhkd->bqhd"));
    model.output(mixed, DType.FLOAT32, 1, 128, 8, 64);
    return model;
  }

  private static WrittenModel gridSample() {
    WrittenModel model = WrittenModel.of(SEED + 6);
    String image = model.input("image", DType.FLOAT32, 1, 32, 128, 128);
    String grid = model.input("grid", DType.FLOAT32, 1, 128, 128, 2);
    model.output(model.node("GridSample", List.of(image, grid), text("mode", "bilinear")), DType.FLOAT32, 1, 32, 128,
      128);
    return model;
  }

  /** Every other row of a table gets new values. */
  private static WrittenModel scatter() {
    int rows = 4096;
    WrittenModel model = WrittenModel.of(SEED + 7);
    long[] indices = new long[rows];
    for (int i = 0; i < rows; i++) {
      indices[i] = 2L * i;
    }
    String table = model.input("table", DType.FLOAT32, 2L * rows, 64);
    String updates = model.input("updates", DType.FLOAT32, rows, 64);
    String places = model.node("Unsqueeze", List.of(model.longs(indices), model.longs(1)));
    model.output(model.node("ScatterND", List.of(table, places, updates)), DType.FLOAT32, 2L * rows, 64);
    return model;
  }
}
