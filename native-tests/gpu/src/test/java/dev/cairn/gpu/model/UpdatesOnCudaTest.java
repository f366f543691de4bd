package dev.cairn.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Updates of three variables by one kernel, which writes each next value over the one before. */
@Tag("long")
class UpdatesOnCudaTest {
  private static final int ELEMENTS = 1_000;
  private static final CompileOptions FUSED = CompileOptions.DEFAULT.withFusion(FusionChoice.ON);
  private static final CompileOptions PLAIN = FUSED.withFusion(FusionChoice.OFF).withInPlace(false).withReorder(false);

  /** m = m/2 + g/2; v = v/2 + g·g/2; w = w - m·v: exact numbers on every device. */
  private static Graph updates() {
    var builder = new GraphBuilder("updates");
    NodeEntry g = builder.input("g", TensorType.of(DType.FLOAT32, ELEMENTS));
    NodeEntry half = builder.constant("half", TensorView.ofFloats(Shape.of(1), 0.5f));
    NodeEntry m = variable(builder, "m", 1);
    NodeEntry v = variable(builder, "v", 2);
    NodeEntry w = variable(builder, "w", 3);
    NodeEntry nextM = builder.apply("Add", builder.apply("Mul", m, half), builder.apply("Mul", g, half));
    NodeEntry nextV = builder.apply("Add", builder.apply("Mul", v, half), builder.apply("Mul", builder.apply("Mul", g,
      g), half));
    NodeEntry nextW = builder.apply("Sub", w, builder.apply("Mul", nextM, nextV));
    builder.assign(m, nextM);
    builder.assign(v, nextV);
    builder.assign(w, nextW);
    return builder.build();
  }

  private static NodeEntry variable(GraphBuilder builder, String name, float value) {
    float[] values = new float[ELEMENTS];
    Arrays.fill(values, value);
    return builder.variable(name, TensorView.ofFloats(Shape.of(ELEMENTS), values));
  }

  private static float[][] trained(DeviceOptions device, CompileOptions compile, int directAssigns) {
    float[] g = new float[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      g[i] = i % 16 - 8;
    }
    var options = SessionOptions.DEFAULT.withThreads(1).withDevice(device).withCompile(compile);
    try (var session = Session.of(updates(), options)) {
      assertThat(session.compiled().orElseThrow().storage().variables().direct()).hasSize(directAssigns);
      for (int run = 0; run < 3; run++) {
        session.run(Map.of("g", Tensor.of(g, ELEMENTS))).close();
      }
      return new float[][] {values(session, "m"), values(session, "v"), values(session, "w")};
    }
  }

  private static float[] values(Session session, String name) {
    try (Tensor variable = session.variable(name)) {
      return variable.toFloatArray();
    }
  }

  @Test
  void oneKernelUpdatesThreeVariablesToTheBit() {
    float[][] wanted = trained(DeviceOptions.CPU, PLAIN, 0);
    assertThat(trained(DeviceOptions.CPU, FUSED, 3)).isDeepEqualTo(wanted);
    assertThat(trained(CudaUnderTest.device(), PLAIN, 0)).isDeepEqualTo(wanted);
    assertThat(trained(CudaUnderTest.device(), FUSED, 3)).isDeepEqualTo(wanted);
    assertThat(trained(CudaUnderTest.device().withReplay(false), FUSED, 3)).isDeepEqualTo(wanted);
  }
}
