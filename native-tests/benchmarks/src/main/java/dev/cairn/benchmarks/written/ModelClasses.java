package dev.cairn.benchmarks.written;

import static dev.cairn.benchmarks.written.WrittenModel.body;
import static dev.cairn.benchmarks.written.WrittenModel.ints;
import static dev.cairn.benchmarks.written.WrittenModel.text;
import static dev.cairn.benchmarks.written.WrittenModel.whole;

import dev.cairn.kernels.tensor.DType;
import java.util.List;

/** A small model of each class that people run, with random weights, as exporters write it. */
public final class ModelClasses {
  private static final long SEED = 40;
  private static final int HIDDEN = 32;

  private ModelClasses() {}

  /** Another network for each sample rate, with a state that goes from run to run. */
  public static WrittenModel voiceActivity() {
    WrittenModel model = WrittenModel.of(SEED);
    String samples = model.input("samples", DType.FLOAT32, 1, 256);
    String state = model.input("state", DType.FLOAT32, 2, 1, HIDDEN);
    String rate = model.input("rate", DType.INT64);
    String is16k = model.node("Equal", List.of(rate, model.scalar(16_000)));
    List<String> results = model.nodes("If", List.of(is16k), 2, body("then_branch", voice(model, samples, state, 64)),
      body("else_branch", voice(model, samples, state, 32)));
    model.output(model.node("Identity", List.of(results.get(0))), DType.FLOAT32, 1, 1);
    model.output(model.node("Identity", List.of(results.get(1))), DType.FLOAT32, 2, 1, HIDDEN);
    return model;
  }

  private static WrittenModel voice(WrittenModel outside, String samples, String state, long window) {
    WrittenModel body = outside.body();
    String wave = body.node("Unsqueeze", List.of(samples, body.longs(1)));
    String spectrum = body.node("Relu", List.of(body.node("Conv", List.of(wave, body.weights(16, 1, window), body
      .weights(16)), ints("strides", window / 2))));
    String steps = body.node("Transpose", List.of(spectrum), ints("perm", 2, 0, 1));
    List<String> parts = body.nodes("Split", List.of(state), 2, whole("axis", 0));
    List<String> lstm = body.nodes("LSTM", List.of(steps, body.weights(1, 4 * HIDDEN, 16), body.weights(1, 4 * HIDDEN,
      HIDDEN), body.weights(1, 8 * HIDDEN), "", parts.get(0), parts.get(1)), 3, whole("hidden_size", HIDDEN));
    String last = body.node("Squeeze", List.of(lstm.get(1), body.longs(0)));
    body.output(body.node("Sigmoid", List.of(body.node("Gemm", List.of(last, body.weights(HIDDEN, 1))))), DType.FLOAT32,
      1, 1);
    body.output(body.node("Concat", List.of(lstm.get(1), lstm.get(2)), whole("axis", 0)), DType.FLOAT32, 2, 1, HIDDEN);
    return body;
  }

  /**
   * Features of two sizes, joined at the larger one: by Resize to a size that shapes give, and by ConvTranspose.
   *
   * @param height of the image, in a multiple of 4 pixels; -1 leaves it open
   * @param width as the height
   */
  public static WrittenModel textDetection(long height, long width) {
    WrittenModel model = WrittenModel.of(SEED + 1);
    String image = model.input("image", DType.FLOAT32, 1, 3, height, width);
    String fine = model.node("Relu", List.of(model.node("Conv", List.of(image, model.weights(8, 3, 3, 3)), ints("pads",
      1, 1, 1, 1), ints("strides", 2, 2))));
    String coarse = model.node("HardSwish", List.of(model.node("Conv", List.of(fine, model.weights(16, 8, 3, 3)), ints(
      "pads", 1, 1, 1, 1), ints("strides", 2, 2))));
    String size = model.node("Slice", List.of(model.node("Shape", List.of(fine)), model.longs(2), model.longs(4)));
    String wide = model.node("Concat", List.of(model.longs(1, 16), size), whole("axis", 0));
    String resized = model.node("Resize", List.of(coarse, "", "", wide), text("mode", "nearest"), text(
      "coordinate_transformation_mode", "asymmetric"), text("nearest_mode", "floor"));
    String joined = model.node("Concat", List.of(fine, resized), whole("axis", 1));
    String up = model.node("ConvTranspose", List.of(joined, model.weights(24, 4, 2, 2), model.weights(4)), ints(
      "strides", 2, 2));
    String map = model.node("ConvTranspose", List.of(model.node("Relu", List.of(up)), model.weights(4, 1, 2, 2)), ints(
      "strides", 2, 2));
    model.output(model.node("Sigmoid", List.of(map)), DType.FLOAT32, 1, 1, height, width);
    return model;
  }

  /** A line of text: convolutions, then a recurrent network in both directions over the columns. */
  public static WrittenModel textRecognition() {
    WrittenModel model = WrittenModel.of(SEED + 2);
    String image = model.input("image", DType.FLOAT32, 2, 1, 8, 40);
    String features = model.node("Relu", List.of(model.node("Conv", List.of(image, model.weights(16, 1, 8, 3)), ints(
      "pads", 0, 1, 0, 1))));
    String columns = model.node("Transpose", List.of(model.node("Squeeze", List.of(features, model.longs(2)))), ints(
      "perm", 2, 0, 1));
    String both = model.nodes("GRU", List.of(columns, model.weights(2, 3 * HIDDEN, 16), model.weights(2, 3 * HIDDEN,
      HIDDEN), model.weights(2, 6 * HIDDEN)), 1, whole("hidden_size", HIDDEN), text("direction", "bidirectional"),
      whole(
        "linear_before_reset", 1))
      .getFirst();
    String rows = model.node("Reshape", List.of(model.node("Transpose", List.of(both), ints("perm", 2, 0, 1, 3)), model
      .longs(0, 0, -1)));
    String letters = model.node("MatMul", List.of(rows, model.weights(2 * HIDDEN, 30)));
    model.output(model.node("Softmax", List.of(letters), whole("axis", 2)), DType.FLOAT32, 2, 40, 30);
    return model;
  }

  /** Boxes that survive are as many as the values say. */
  public static WrittenModel objectDetection() {
    WrittenModel model = WrittenModel.of(SEED + 3);
    String image = model.input("image", DType.FLOAT32, 1, 3, 16, 16);
    String grid = model.node("Conv", List.of(image, model.weights(6, 3, 3, 3)), ints("pads", 1, 1, 1, 1));
    String rows = model.node("Reshape", List.of(grid, model.longs(1, 6, 256)));
    List<String> parts = model.nodes("Split", List.of(rows, model.longs(4, 2)), 2, whole("axis", 1));
    String boxes = model.node("Transpose", List.of(model.node("Sigmoid", List.of(parts.get(0)))), ints("perm", 0, 2,
      1));
    String scores = model.node("Sigmoid", List.of(parts.get(1)));
    String kept = model.node("NonMaxSuppression", List.of(boxes, scores, model.longs(20), model.filled(0.5, 1), model
      .filled(0.4, 1)), whole("center_point_box", 1));
    String which = model.node("Squeeze", List.of(model.node("Slice", List.of(kept, model.longs(2), model.longs(3), model
      .longs(1))), model.longs(1)));
    model.output(model.node("Gather", List.of(boxes, which), whole("axis", 1)), DType.FLOAT32, 1, -1, 4);
    return model;
  }

  /** The front of a speech encoder: spectra of overlapping frames, their logarithm, and convolutions over time. */
  public static WrittenModel speech() {
    WrittenModel model = WrittenModel.of(SEED + 4);
    String sound = model.input("sound", DType.FLOAT32, 1, 800);
    String window = model.node("HannWindow", List.of(model.scalar(64)));
    String frames = model.node("STFT", List.of(model.node("Unsqueeze", List.of(sound, model.longs(2))), model.scalar(
      16), window, model.scalar(64)));
    String power = model.node("ReduceSumSquare", List.of(frames), ints("axes", 3), whole("keepdims", 0));
    String mel = model.node("MatMul", List.of(power, model.node("Abs", List.of(model.weights(33, 20)))));
    String log = model.node("Log", List.of(model.node("Add", List.of(mel, model.filled(1e-3)))));
    String features = model.node("Transpose", List.of(log), ints("perm", 0, 2, 1));
    String encoded = model.node("Conv", List.of(features, model.weights(HIDDEN, 20, 3), model.weights(HIDDEN)), ints(
      "pads", 1, 1), ints("strides", 2));
    String activated = model.node("Mul", List.of(encoded, model.node("Sigmoid", List.of(encoded))));
    model.output(model.node("LayerNormalization", List.of(model.node("Transpose", List.of(activated), ints("perm", 0, 2,
      1)), model.filled(1, HIDDEN))), DType.FLOAT32, 1, -1, HIDDEN);
    return model;
  }

  /** Words, one quantised layer whose operand two products share, and the mean over the words. */
  public static WrittenModel quantizedEmbedding() {
    WrittenModel model = WrittenModel.of(SEED + 5);
    String words = model.input("words", DType.INT64, 1, 12);
    String rows = model.node("Gather", List.of(model.weights(50, HIDDEN), words));
    List<String> quantized = model.nodes("DynamicQuantizeLinear", List.of(rows), 3);
    String left = dense(model, quantized);
    String right = model.node("Tanh", List.of(dense(model, quantized)));
    String both = model.node("LayerNormalization", List.of(model.node("Add", List.of(model.node("Mul", List.of(left,
      right)), rows)), model.filled(1, HIDDEN), model.filled(0, HIDDEN)));
    model.output(model.node("ReduceMean", List.of(both), ints("axes", 1), whole("keepdims", 0)), DType.FLOAT32, 1,
      HIDDEN);
    return model;
  }

  private static String dense(WrittenModel model, List<String> quantized) {
    String product = model.node("MatMulInteger", List.of(quantized.get(0), model.bytes(HIDDEN, HIDDEN), quantized.get(
      2)));
    String scale = model.node("Mul", List.of(quantized.get(1), model.filled(0.004, 1)));
    String scaled = model.node("Mul", List.of(model.node("Cast", List.of(product), whole("to", 1)), scale));
    return model.node("Add", List.of(scaled, model.weights(HIDDEN)));
  }

  /**
   * One step of a diffusion model: a UNet with attention.
   *
   * @param side of the square image, in a multiple of 4
   */
  public static WrittenModel diffusion(int side) {
    return UnetModel.write(WrittenModel.of(SEED + 7), side);
  }

  /** Words one after the other, each from the one before. */
  public static WrittenModel greedyDecoder() {
    WrittenModel model = WrittenModel.of(SEED + 6);
    String hidden = model.input("hidden", DType.FLOAT32, 1, HIDDEN);
    String length = model.input("length", DType.INT64);
    String step = model.weights(HIDDEN, HIDDEN);
    String vocabulary = model.weights(HIDDEN, 40);
    WrittenModel body = model.body();
    body.input("trip", DType.INT64);
    body.input("on", DType.BOOL);
    String before = body.input("before", DType.FLOAT32, 1, HIDDEN);
    String after = body.node("Tanh", List.of(body.node("MatMul", List.of(before, step))));
    String logits = body.node("MatMul", List.of(after, vocabulary));
    body.output(body.node("Identity", List.of("on")), DType.BOOL);
    body.output(after, DType.FLOAT32, 1, HIDDEN);
    body.output(body.node("ArgMax", List.of(logits), whole("axis", 1), whole("keepdims", 0)), DType.INT64, 1);
    body.output(logits, DType.FLOAT32, 1, 40);
    List<String> results = model.nodes("Loop", List.of(length, "", hidden), 3, body("body", body));
    model.output(results.get(0), DType.FLOAT32, 1, HIDDEN);
    model.output(results.get(1), DType.INT64, -1, 1);
    model.output(results.get(2), DType.FLOAT32, -1, 1, 40);
    return model;
  }
}
