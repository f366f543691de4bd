package dev.cairn.conformance;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Random models of operators on images: other sizes, other positions, transposed windows. */
final class SamplingCases {
  static final Map<String, Consumer<OneOperator>> ALL = all();

  private SamplingCases() {}

  private static Map<String, Consumer<OneOperator>> all() {
    Map<String, Consumer<OneOperator>> all = new TreeMap<>();
    all.put("Resize", SamplingCases::resize);
    all.put("GridSample", SamplingCases::gridSample);
    all.put("AffineGrid", it -> {
      long batch = it.number(1, 2);
      it.input(it.floats(Shape.of(batch, 2, 3), -1, 1))
        .constant(TensorView.ofLongs(batch, 3, it.number(2, 6), it.number(2, 6))).with("align_corners", it.number(0,
          1));
    });
    all.put("CenterCropPad", it -> {
      Shape shape = it.shape(1, 3);
      it.input(it.floats(shape, -3, 3))
        .constant(TensorView.ofLongs(LongStream.of(shape.extents()).map(_ -> it.number(1, 12)).toArray()));
    });
    all.put("ConvTranspose", SamplingCases::transposed);
    all.put("Col2Im", it -> {
      long rows = it.number(1, 3);
      long columns = it.number(1, 3);
      long windows = (7 - rows) * (6 - columns);
      it.input(it.floats(Shape.of(it.number(1, 2), rows * columns * it.number(1, 3), windows), -2, 2))
        .constant(TensorView.ofLongs(6, 5)).constant(TensorView.ofLongs(rows, columns));
    });
    all.put("LpPool", it -> it.input(it.floats(image(it), -2, 2)).with("kernel_shape", it.number(1, 3), it.number(1,
      3)).with("strides", it.number(1, 2), it.number(1, 2)).with("p", it.number(1, 3)));
    all.put("MaxUnpool", it -> {
      Shape pooled = Shape.of(1, 1, it.number(1, 4), it.number(1, 4));
      it.input(it.floats(pooled, -2, 2)).input(it.tensor(DType.INT64, pooled, 0, 4.0 * pooled.elementCount() - 1))
        .with("kernel_shape", 2, 2).with("strides", 2, 2);
    });
    return all;
  }

  private static Shape image(OneOperator it) {
    return Shape.of(it.number(1, 2), it.number(1, 3), it.number(3, 9), it.number(3, 9));
  }

  /** ONNX Runtime rounds an extent before it scales positions, so all are whole. */
  private static void resize(OneOperator it) {
    Shape shape = Shape.of(it.number(1, 2), it.number(1, 3), it.oneOf(4, 6, 8), it.oneOf(4, 6, 8));
    String mode = it.oneOf("nearest", "linear", "cubic");
    it.input(it.floats(shape, -3, 3)).absent();
    if (it.coin()) {
      it.constant(TensorView.ofFloats(Shape.of(4), 1, 1, it.oneOf(0.5f, 1.5f, 2f, 3f), it.oneOf(0.5f, 1f, 2f)));
    } else {
      it.absent().constant(TensorView.ofLongs(shape.extent(0), shape.extent(1), it.number(2, 12), it.number(2, 12)));
    }
    it.with("mode", mode).with("coordinate_transformation_mode", it.oneOf("half_pixel", "asymmetric", "align_corners",
      "pytorch_half_pixel"));
    if (mode.equals("nearest")) {
      it.with("nearest_mode", it.oneOf("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"));
    }
    if (mode.equals("cubic")) {
      it.with("exclude_outside", it.number(0, 1)).with("cubic_coeff_a", it.oneOf(-0.75f, -0.5f));
    }
  }

  private static void gridSample(OneOperator it) {
    Shape x = image(it);
    it.input(it.floats(x, -3, 3))
      .input(it.floats(Shape.of(x.extent(0), it.number(1, 5), it.number(1, 5), 2), -1.4, 1.4))
      .with("mode", it.oneOf("linear", "nearest", "cubic"))
      .with("padding_mode", it.oneOf("zeros", "border", "reflection")).with("align_corners", it.number(0, 1));
  }

  private static void transposed(OneOperator it) {
    int axes = it.number(1, 3);
    long group = it.number(1, 2);
    long[] x = new long[axes + 2];
    long[] w = new long[axes + 2];
    long[] strides = new long[axes];
    long[] dilations = new long[axes];
    long[] pads = new long[2 * axes];
    x[0] = it.number(1, 2);
    x[1] = group * it.number(1, 3);
    w[0] = x[1];
    w[1] = it.number(1, 3);
    for (int i = 0; i < axes; i++) {
      x[i + 2] = it.number(1, 6);
      w[i + 2] = it.number(1, 4);
      strides[i] = it.number(1, 3);
      dilations[i] = it.number(1, 2);
      pads[i] = x[i + 2] > 1 ? it.number(0, 1) : 0;
    }
    it.input(it.floats(Shape.of(x), -1, 1)).constant(it.floats(Shape.of(w), -1, 1));
    if (it.coin()) {
      it.constant(it.floats(Shape.of(w[1] * group), -1, 1));
    }
    it.with("group", group).with("strides", strides).with("dilations", dilations);
    if (it.coin() && Arrays.stream(w, 2, w.length).allMatch(taps -> taps > 1)) {
      it.with("pads", pads);
    }
  }
}
