package dev.cairn.benchmarks.written;

import static dev.cairn.benchmarks.written.WrittenModel.ints;
import static dev.cairn.benchmarks.written.WrittenModel.text;
import static dev.cairn.benchmarks.written.WrittenModel.whole;

import dev.cairn.kernels.tensor.DType;
import java.util.List;

/**
 * A small denoising UNet of a diffusion model: residual blocks that know the time step, attention in the middle, and
 * two ways up again, by Resize and by ConvTranspose, each joined with the features of its size.
 */
final class UnetModel {
  private static final int CHANNELS = 16;
  private static final int TIME = 32;
  private static final int GROUPS = 4;

  private final WrittenModel model;
  private String time = "";

  private UnetModel(WrittenModel model) {
    this.model = model;
  }

  /** @param side of the square image, in a multiple of 4 */
  static WrittenModel write(WrittenModel model, int side) {
    var unet = new UnetModel(model);
    String sample = model.input("sample", DType.FLOAT32, 1, 4, side, side);
    unet.time = unet.embedded(model.input("step", DType.FLOAT32, 1));
    String fine = unet.residual(unet.convolution(sample, 4, CHANNELS, 1), CHANNELS, CHANNELS, side);
    String half = unet.residual(unet.convolution(fine, CHANNELS, CHANNELS, 2), CHANNELS, 2 * CHANNELS, side / 2);
    String coarse = unet.convolution(half, 2 * CHANNELS, 2 * CHANNELS, 2);
    String middle = unet.attended(unet.residual(coarse, 2 * CHANNELS, 2 * CHANNELS, side / 4), 2 * CHANNELS, side / 4);
    String larger = model.node("Resize", List.of(middle, "", model.floats(new float[] {1, 1, 2, 2}, 4)), text("mode",
      "nearest"), text("coordinate_transformation_mode", "asymmetric"), text("nearest_mode", "floor"));
    String joined = model.node("Concat", List.of(unet.convolution(larger, 2 * CHANNELS, 2 * CHANNELS, 1), half), whole(
      "axis", 1));
    String up = unet.residual(joined, 4 * CHANNELS, CHANNELS, side / 2);
    String largest = model.node("ConvTranspose", List.of(up, model.weights(CHANNELS, CHANNELS, 2, 2), model.weights(
      CHANNELS)), ints("strides", 2, 2));
    String last = unet.residual(model.node("Concat", List.of(largest, fine), whole("axis", 1)), 2 * CHANNELS, CHANNELS,
      side);
    model.output(unet.convolution(unet.activated(unet.normalised(last, CHANNELS, side)), CHANNELS, 4, 1),
      DType.FLOAT32, 1, 4, side, side);
    return model;
  }

  /** Waves of the time step, and two layers. */
  private String embedded(String step) {
    float[] frequencies = new float[TIME / 2];
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = (float) Math.pow(1e4, -2.0 * i / TIME);
    }
    String angles = model.node("Mul", List.of(model.node("Unsqueeze", List.of(step, model.longs(1))), model.floats(
      frequencies, 1, TIME / 2)));
    String waves = model.node("Concat", List.of(model.node("Sin", List.of(angles)), model.node("Cos", List.of(angles))),
      whole("axis", 1));
    return activated(dense(activated(dense(waves, TIME, TIME)), TIME, TIME));
  }

  private String dense(String rows, int inputs, int outputs) {
    return model.node("Gemm", List.of(rows, model.weights(outputs, inputs), model.weights(outputs)), whole("transB",
      1));
  }

  private String activated(String x) {
    return model.node("Mul", List.of(x, model.node("Sigmoid", List.of(x))));
  }

  private String convolution(String x, int inputs, int outputs, long stride) {
    return model.node("Conv", List.of(x, model.weights(outputs, inputs, 3, 3), model.weights(outputs)), ints("pads", 1,
      1, 1, 1), ints("strides", stride, stride));
  }

  /** GroupNormalization as PyTorch writes it before opset 18. */
  private String normalised(String x, int channels, int side) {
    String groups = model.node("Reshape", List.of(x, model.longs(0, GROUPS, -1)));
    String even = model.node("InstanceNormalization", List.of(groups, model.filled(1, GROUPS), model.filled(0,
      GROUPS)));
    String image = model.node("Reshape", List.of(even, model.longs(1, channels, side, side)));
    String scaled = model.node("Mul", List.of(image, model.weights(channels, 1, 1)));
    return model.node("Add", List.of(scaled, model.weights(channels, 1, 1)));
  }

  private String residual(String x, int inputs, int outputs, int side) {
    String first = convolution(activated(normalised(x, inputs, side)), inputs, outputs, 1);
    String shift = model.node("Unsqueeze", List.of(dense(time, TIME, outputs), model.longs(2, 3)));
    String timed = model.node("Add", List.of(first, shift));
    String second = convolution(activated(normalised(timed, outputs, side)), outputs, outputs, 1);
    String same = inputs == outputs ? x : model.node("Conv", List.of(x, model.weights(outputs, inputs, 1, 1)));
    return model.node("Add", List.of(same, second));
  }

  /** Each place of the image attends to all. */
  private String attended(String x, int channels, int side) {
    String rows = model.node("Transpose", List.of(model.node("Reshape", List.of(normalised(x, channels, side), model
      .longs(1, channels, -1)))), ints("perm", 0, 2, 1));
    String query = model.node("MatMul", List.of(rows, model.weights(channels, channels)));
    String key = model.node("MatMul", List.of(rows, model.weights(channels, channels)));
    String value = model.node("MatMul", List.of(rows, model.weights(channels, channels)));
    String scores = model.node("Mul", List.of(model.node("MatMul", List.of(query, model.node("Transpose", List.of(key),
      ints("perm", 0, 2, 1)))), model.filled(1 / Math.sqrt(channels))));
    String mixed = model.node("MatMul", List.of(model.node("Softmax", List.of(scores), whole("axis", -1)), value));
    String image = model.node("Reshape", List.of(model.node("Transpose", List.of(mixed), ints("perm", 0, 2, 1)), model
      .longs(1, channels, side, side)));
    return model.node("Add", List.of(x, image));
  }
}
