package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;

/** A program that runs a model; {@link WithoutFlagsTest} starts it as {@code java} alone does. */
final class ProgramWithoutFlags {
  private ProgramWithoutFlags() {}

  public static void main(String[] arguments) {
    var builder = new GraphBuilder("plain");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, 2, 2));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(2, 2), 1, 2, 3, 4));
    NodeEntry byteInput = builder.input("b", TensorType.of(DType.UINT8, 2, 2));
    NodeEntry byteWeights = builder.constant("bw",
      new TensorView(TensorType.of(DType.INT8, 2, 2), MemorySegment.ofArray(
        new byte[] {127, 1, 127, 1})));
    builder.output("z", builder.apply("MatMulInteger", byteInput, byteWeights));
    builder.output("y", builder.apply("Softmax", builder.apply("Relu", builder.apply("MatMul", x, w))));
    try (Session session = Session.of(builder.build(), SessionOptions.DEFAULT);
      Result result = session
        .run(Map.of("x", Tensor.of(new float[] {0, 0, 0, 0}, 2, 2), "b", Tensor.of(new byte[] {-1, -1, 1, 2},
          DType.UINT8, 2, 2)))) {
      System.out.println("kernels=" + session.kernels());
      System.out.println("z=" + Arrays.toString(result.get("z").toIntArray()));
      System.out.println("y=" + Arrays.toString(result.get("y").toFloatArray()));
    }
  }
}
