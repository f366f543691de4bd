package dev.cairn.kernels.cpu.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CpuDeviceTest {

  @Test
  void saysWhatItIs() {
    try (var one = new CpuDevice(1); var three = new CpuDevice(3)) {
      assertThat(one.id()).isEqualTo(DeviceId.CPU).hasToString("cpu");
      assertThat(one.description()).isEqualTo("cpu, 1 thread");
      assertThat(three.description()).isEqualTo("cpu, 3 threads");
      assertThat(three.threads()).isEqualTo(3);
      assertThat(three.defaultStream().threads()).isEqualTo(3);
      assertThat(three.defaultStream().device()).isSameAs(three);
    }
    try (var all = CpuDevice.ofAllProcessors()) {
      assertThat(all.threads()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }
  }

  @Test
  void aDeviceNeedsAThread() {
    assertThatThrownBy(() -> new CpuDevice(0)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("threads=0");
  }

  @Test
  void theStreamOfACallSharesALoop() {
    try (var device = new CpuDevice(2)) {
      var call = new KernelCall(new TensorView[0], new TensorView[0], Attributes.NONE, MemorySegment.NULL,
        device.defaultStream());
      var sum = new AtomicLong();
      CpuStream.of(call).parallel(1001, 3, (first, end) -> {
        for (long i = first; i < end; i++) {
          sum.addAndGet(i);
        }
      });
      CpuStream.of(call).synchronize();
      assertThat(sum).hasValue(1000 * 1001 / 2);
    }
  }
}
