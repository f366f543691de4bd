package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.backend.DeviceOptions;
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
    for (String name : new String[] {"", "gpu", "cuda:", "cuda:-1", "cuda:1x", "CUDA", "cuda:9999"}) {
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

  @Test
  void aSessionRunsOnTheProcessorUnlessAskedOtherwise() {
    assertThat(SessionOptions.DEFAULT.device()).isEqualTo(DeviceOptions.CPU);
    assertThat(SessionOptions.DEFAULT.withDevice("cuda:1").device().ordinal()).isEqualTo(1);
  }
}
