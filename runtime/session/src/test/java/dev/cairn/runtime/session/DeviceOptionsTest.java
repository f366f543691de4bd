package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceOptionsTest {
  @Test
  void devicesHaveNames() {
    assertThat(DeviceOptions.of("cpu")).isEqualTo(DeviceOptions.CPU);
    assertThat(DeviceOptions.of("auto")).isEqualTo(DeviceOptions.AUTO);
    assertThat(DeviceOptions.of("cuda")).isEqualTo(DeviceOptions.cuda(0));
    assertThat(DeviceOptions.of("cuda:12")).isEqualTo(DeviceOptions.cuda(12));
  }

  @Test
  void otherNamesAreRefused() {
    for (String name : new String[] {"", "gpus", "gpu:", "cuda:", "cuda:-1", "cuda:1x", "CUDA", "cuda:9999"}) {
      assertThatThrownBy(() -> DeviceOptions.of(name)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("device=" + name);
    }
    assertThatThrownBy(() -> DeviceOptions.cuda(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyBitOfAFloatCountsUnlessFewerAreAllowed() {
    assertThat(DeviceOptions.cuda(1).math()).isEqualTo(DeviceOptions.FloatMath.FP32);
    DeviceOptions rounded = DeviceOptions.cuda(1).withMath(DeviceOptions.FloatMath.TF32).withRequired(true)
      .withReplay(false);
    assertThat(rounded.math()).isEqualTo(DeviceOptions.FloatMath.TF32);
    assertThat(rounded.ordinal()).isEqualTo(1);
  }

  @Test
  void convolutionsAreMeasuredUnlessSaidOtherwise() {
    assertThat(DeviceOptions.AUTO.convolutions()).isEqualTo(DeviceOptions.Convolutions.MEASURED);
    DeviceOptions own = DeviceOptions.cuda(0).withConvolutions(DeviceOptions.Convolutions.OWN).withReplay(false)
      .withRequired(true).withMath(DeviceOptions.FloatMath.TF32);
    assertThat(own.convolutions()).isEqualTo(DeviceOptions.Convolutions.OWN);
    assertThat(own.math()).isEqualTo(DeviceOptions.FloatMath.TF32);
  }

  private static DeviceOptions withoutAnyDriver(String name) {
    return DeviceOptions.of(name).withSearch(CudaSearch.of(Map.of("CAIRN_CUDA_DRIVER", "/no/such/libcuda.so.1")));
  }

  private static Graph graph() {
    var builder = new GraphBuilder("model");
    builder.output("y", builder.apply("Relu", builder.input("x", TensorType.of(DType.FLOAT32, 2))));
    return builder.build();
  }

  @Test
  void aGpuThatIsNamedAndNotThereIsAnError() {
    SessionOptions options = SessionOptions.DEFAULT.withDevice(withoutAnyDriver("cuda:0"));
    assertThatThrownBy(() -> Session.of(graph(), options)).isInstanceOfSatisfying(CudaUnavailable.class, it -> {
      assertThat(it.reason()).isEqualTo(CudaUnavailable.Reason.NO_DRIVER);
      assertThat(it.facts().values()).anySatisfy(fact -> assertThat(fact).contains("/no/such/libcuda.so.1"));
    });
    assertThatThrownBy(() -> ModelCompiler.open(options)).isInstanceOf(CudaUnavailable.class);
    assertThat(DeviceOptions.cuda(0).withRequired(false).required()).isTrue();
  }

  @Test
  void anyDeviceIsTheProcessorWhereThereIsNoGpuAndSaysSo() {
    try (Session session = Session.of(graph(), SessionOptions.DEFAULT.withDevice(withoutAnyDriver("auto")))) {
      assertThat(session.isHost()).isTrue();
      assertThat(session.deviceReason()).isEqualTo("no GPU: there is no NVIDIA driver");
    }
    DeviceOptions required = withoutAnyDriver("auto").withRequired(true);
    assertThatThrownBy(() -> Session.of(graph(), SessionOptions.DEFAULT.withDevice(required))).isInstanceOf(
      CudaUnavailable.class);
  }

  @Test
  void portableKernelsAreAskedForByName() {
    DeviceOptions portable = DeviceOptions.CPU.withKernels(ProcessorKernels.Wanted.PORTABLE);
    try (Session session = Session.of(graph(), SessionOptions.DEFAULT.withDevice(portable));
      Tensor x = Tensor.of(new float[] {-1, 2}, 2);
      Result result = session.run(Map.of("x", x))) {
      assertThat(session.kernels()).isEqualTo("portable");
      assertThat(result.get("y").toFloatArray()).containsExactly(0, 2);
    }
  }

  @Test
  void aSessionRunsOnTheProcessorUnlessAskedOtherwise() {
    assertThat(SessionOptions.DEFAULT.device()).isEqualTo(DeviceOptions.CPU);
    assertThat(SessionOptions.DEFAULT.withDevice("cuda:1").device().ordinal()).isEqualTo(1);
  }
}
