package dev.cairn.kernels;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls of portable kernels that tests write by hand. */
public final class ByHand {
  private ByHand() {}

  /** Runs an operator with one result. */
  public static TensorView run(String operator, Attributes attributes, TensorType output,
    @Nullable TensorView... inputs) {
    return KernelRunner.checkTwins(StandardKernels.portableRows(), operator, attributes, List.of(output), 1, inputs)
      .getFirst();
  }

  public static Attributes text(String name, String value) {
    return Attributes.NONE.with(name, new AttributeValue.Text(value));
  }

  public static TensorView floats(double... values) {
    return TestTensors.of(DType.FLOAT32, Shape.of(values.length), values);
  }
}
