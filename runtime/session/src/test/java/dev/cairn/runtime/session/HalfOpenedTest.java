package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A model whose backend fails while it is loaded: at the first question to the backend, the second, and so on. */
class HalfOpenedTest {
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().startsWith("cairn-trim")).collect(
      Collectors.toSet());
  }

  /** Fails at one call, and works otherwise. */
  private static Backend failing(Backend real, int call, AtomicInteger calls) {
    return (Backend) Proxy.newProxyInstance(Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (_, method,
      arguments) -> {
      if (!method.getName().equals("close") && calls.incrementAndGet() == call) {
        throw new IllegalStateException("planted");
      }
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    });
  }

  @Test
  void nothingOfAModelIsLeftWhateverFails() throws InterruptedException {
    Set<Thread> before = threads();
    var source = new NettySubAllocator();
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withMemory(MemoryOptions.DEFAULT.withTrim(
      TrimSchedule.afterIdle(Duration.ofHours(1))));
    int failed = 0;
    while (true) {
      var calls = new AtomicInteger();
      try (Backend real = Backends.open(DeviceOptions.CPU, 1, Backends.MemorySource.of(source))) {
        Backend backend = failing(real, failed + 1, calls);
        if (isLoaded(options, backend)) {
          break;
        }
      }
      failed++;
      for (Thread left : threads()) {
        if (!before.contains(left)) {
          left.join();
        }
      }
    }
    assertThat(failed).isGreaterThan(4);
    assertThat(source.heldBytes()).isZero();
  }

  private static boolean isLoaded(SessionOptions options, Backend backend) {
    LoadedModel model;
    try {
      model = new LoadedModel(SharedBudget.model(2, 1), options, backend);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("planted");
      return false;
    }
    model.release();
    return true;
  }
}
