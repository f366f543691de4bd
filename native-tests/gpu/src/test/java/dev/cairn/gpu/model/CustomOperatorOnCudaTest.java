package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.cuda.compile.CompileFailure;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.custom.CudaKernelSource;
import dev.cairn.runtime.custom.KernelOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Operators of users on a GPU: in CUDA C, and in Java on the host. */
class CustomOperatorOnCudaTest {
  static final CudaKernelSource SQUARE_SOURCE = CudaKernelSource.of("""
    #include "cairn.cuh"
    extern "C" __global__ void square(const VALUE* x, VALUE* y, int64 count) {
      for (EACH(i, count)) {
        WIDE value = widen(x[i]);
        y[i] = narrow<VALUE>(value * value);
      }
    }
    """, "square");

  private static final KernelOperator SQUARE = KernelOperator.of("my::Square", 1, context -> List.of(context.input(
    0))).withMemory(MemoryTraits.FIRST_IN_PLACE);

  private static SessionOptions on(KernelOperator operator) {
    return SessionOptions.DEFAULT.withThreads(1).withDevice(CudaUnderTest.device()).withOperators(OperatorRegistry.of(
      operator));
  }

  private static Graph graph(String operator, DType dtype) {
    var graph = new GraphBuilder("own");
    NodeEntry x = graph.input("x", TensorType.of(dtype, 5));
    graph.output("y", graph.apply("Neg", graph.within("head").apply(operator, graph.apply("Relu", x))));
    return graph.build();
  }

  private static float[] run(Session session, float... values) {
    try (Tensor x = Tensor.of(values, values.length); Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  @Test
  void cudaCIsCompiledForEachElementTypeAndRunsAreRecorded() {
    KernelOperator square = SQUARE.withCuda(SQUARE_SOURCE);
    try (Session session = Session.of(graph("my::Square", DType.FLOAT32), on(square))) {
      for (int run = 1; run <= 4; run++) {
        assertThat(run(session, -1, run, 2, 3, 4)).containsExactly(-0f, -run * run, -4, -9, -16);
      }
    }
    try (Session session = Session.of(graph("my::Square", DType.FLOAT64), on(square));
      Tensor x = Tensor.of(new double[] {1, 2, 3, 4, 5}, 5);
      Result result = session.run(Map.of("x", x))) {
      assertThat(result.get("y").view().doubleAt(4)).isEqualTo(-25);
    }
  }

  @Test
  void aLaunchOfOnesOwn() {
    var source = new CudaKernelSource("""
      extern "C" __global__ void scaled(const float* x, float* y, float by) {
        y[blockIdx.x] = by * x[blockIdx.x];
      }
      """, "scaled", (call, function) -> Launch.of(call, function).input(0).output(0).value(3f).with(
      dev.cairn.kernels.cuda.LaunchShape.of(5, 1)));
    try (Session session = Session.of(graph("my::Square", DType.FLOAT32), on(SQUARE.withMemory(MemoryTraits.NONE)
      .withCuda(source)))) {
      assertThat(run(session, 1, 2, 3, 4, 5)).containsExactly(-3, -6, -9, -12, -15);
    }
  }

  @Test
  void errorsOfTheCompilerNameTheNode() {
    KernelOperator broken = SQUARE.withCuda(CudaKernelSource.of("extern \"C\" __global__ void square( {", "square"));
    try (Session session = Session.of(graph("my::Square", DType.FLOAT32), on(broken))) {
      StepFailed failure = catchThrowableOfType(StepFailed.class, () -> run(session, 1, 2, 3, 4, 5));
      assertThat(failure.node()).isEqualTo("head/my::Square");
      assertThat(failure).hasCauseInstanceOf(CompileFailure.class);
    } catch (StepFailed atOpening) {
      assertThat(atOpening.node()).isEqualTo("head/my::Square");
    }
  }

  @Test
  void javaRunsOnTheHostOnceOperandsAreThere() {
    var fails = new AtomicBoolean();
    KernelOperator onHost = SQUARE.withKernel(call -> {
      if (fails.get()) {
        throw new IllegalStateException("no luck");
      }
      for (int i = 0; i < 5; i++) {
        float x = (float) call.input(0).doubleAt(i);
        call.workspace().setAtIndex(ValueLayout.JAVA_FLOAT, i, x * x);
      }
      call.output(0).segment().copyFrom(call.workspace().asSlice(0, 20));
    }, signature -> 20);
    try (Session session = Session.of(graph("my::Square", DType.FLOAT32), on(onHost))) {
      for (int run = 1; run <= 4; run++) {
        assertThat(run(session, -1, run, 2, 3, 4)).containsExactly(-0f, -run * run, -4, -9, -16);
      }
      fails.set(true);
      StepFailed failure = catchThrowableOfType(StepFailed.class, () -> run(session, 1, 2, 3, 4, 5));
      assertThat(failure.node()).isEqualTo("head/my::Square");
      fails.set(false);
      assertThat(run(session, 5, 5, 5, 5, 5)).containsExactly(-25, -25, -25, -25, -25);
    }
  }

  @Test
  void cudaCAloneIsAGapOnTheProcessor() {
    SessionOptions cpu = SessionOptions.DEFAULT.withOperators(OperatorRegistry.of(SQUARE.withCuda(SQUARE_SOURCE)));
    assertThatThrownBy(() -> Session.of(graph("my::Square", DType.FLOAT32), cpu)).isInstanceOfSatisfying(
      UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(UnsupportedOperators.Gap::node)
        .containsExactly("head/my::Square"));
  }

  @Test
  void thePageHasTheSource() throws IOException {
    Path root = Path.of(System.getProperty("cairn.root", "../.."));
    String page = Files.readString(root.resolve("docs/howto/custom-operator.md"));
    String own = Files.readString(root.resolve(
      "native-tests/gpu/src/test/java/dev/cairn/gpu/model/CustomOperatorOnCudaTest.java"));
    String block = Pattern.compile("```java cuda\n(.*?)```", Pattern.DOTALL).matcher(page).results().findFirst()
      .orElseThrow().group(1);
    assertThat(own).contains(block.indent(2));
  }
}
