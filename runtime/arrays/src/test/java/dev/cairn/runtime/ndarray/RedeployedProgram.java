package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.gradient.GradientRequest;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Uses sessions and arrays on the calling thread, and closes all of them. Loaded by {@link RedeployTest}. */
public final class RedeployedProgram implements Callable<Float> {
  private static final int SIDE = 64;

  @Override
  public Float call() {
    float sum = 0;
    try (Session session = Session.of(model(), SessionOptions.DEFAULT.withThreads(2).withStreams(2)
      .withOperators(registry()).withObservers(_ -> new RunObserver() {}).withMemory(MemoryOptions.DEFAULT.withTrim(
        TrimSchedule.afterIdle(Duration.ofMinutes(1)))));
      Tensor x = Tensor.of(new float[SIDE * SIDE], SIDE, SIDE)) {
      try (Result result = session.run(Map.of("x", x))) {
        sum += result.get("y").toFloatArray()[0];
      }
      try (Result result = session.runAsync(Map.of("x", x)).join()) {
        sum += result.get("y").toFloatArray()[0];
      }
    }
    for (EngineOptions.Kind kind : EngineOptions.Kind.values()) {
      ArrayOptions options = ArrayOptions.DEFAULT.withOperators(registry());
      sum += onArrays(options.withEngine(options.engine().withKind(kind)));
    }
    return sum;
  }

  private static float onArrays(ArrayOptions options) {
    try (ArrayRuntime arrays = ArrayRuntime.open(options); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[SIDE * SIDE], SIDE, SIDE).attachGradient(GradientRequest.WRITE);
      NDArray y;
      try (var _ = Autograd.record(); var _ = arrays.bulk(4)) {
        y = x.matmul(x).add(1).relu().call("t::Twice", Attributes.NONE);
      }
      y.backward();
      return y.toFloatArray()[0] + x.gradient().toFloatArray()[0];
    }
  }

  private static OperatorRegistry registry() {
    return OperatorRegistry.of(KernelOperator.of("t::Twice", 1, context -> List.of(context.input(0))).withKernel(
      call -> call.output(0).segment().copyFrom(call.input(0).segment())).withGradient(g -> g.give(0, g.head())));
  }

  private static Graph model() {
    var builder = new GraphBuilder("redeployed");
    NodeEntry x = builder.input("x", TensorType.of(DType.FLOAT32, SIDE, SIDE));
    NodeEntry w = builder.constant("w", TensorView.ofFloats(Shape.of(SIDE, SIDE), new float[SIDE * SIDE]));
    NodeEntry left = builder.apply("Sin", builder.apply("MatMul", x, w));
    NodeEntry right = builder.apply("Cos", builder.apply("MatMul", w, x));
    builder.output("y", builder.apply("t::Twice", builder.apply("Add", left, right)));
    return builder.build();
  }
}
