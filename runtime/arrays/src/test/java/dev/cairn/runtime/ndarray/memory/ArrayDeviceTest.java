package dev.cairn.runtime.ndarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.custom.OperatorRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArrayDeviceTest {
  @Test
  void aDeviceThatCannotBeOpenedLeavesNothing() {
    MemoryBudget other = MemoryBudget.of(1 << 20);
    other.join(new MemoryBudget.Member() {
      @Override
      public void releaseExecutors() {}

      @Override
      public void releaseWeights() {}
    }, "cuda:7");
    List<String> closed = new ArrayList<>();
    Backend real = Backends.open(DeviceOptions.CPU, 1, Backends.MemorySource.of(new NettySubAllocator()));
    Backend backend = (Backend) Proxy.newProxyInstance(Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (
      _, method, arguments) -> {
      if (method.getName().equals("close")) {
        closed.add("backend");
      }
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    });
    assertThatIllegalArgumentException().isThrownBy(() -> ArrayDevice.open(backend, DeviceOptions.CPU,
      OperatorRegistry.STANDARD, ArrayMemory.DEFAULT, 0, Optional.of(other)))
      .withMessageContaining("must use one device");
    assertThat(closed).containsExactly("backend");
  }
}
