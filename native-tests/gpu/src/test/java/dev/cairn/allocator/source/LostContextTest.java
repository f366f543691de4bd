package dev.cairn.allocator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.Simulator;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that hold regions when a kernel's fault takes the context: all goes back, and a new one works. */
class LostContextTest {
  private static final int LAUNCH_FAILED = 719;

  private record Source(SubAllocator source, Runnable end) {
    static Source of(String kind) {
      CudaUnderTest.loaded();
      return switch (kind) {
        case "plain" -> {
          var plain = CudaSubAllocator.of(0);
          yield new Source(plain, plain::close);
        }
        case "virtual" -> {
          var virtual = CudaVirtualSubAllocator.of(0);
          yield new Source(virtual, virtual::close);
        }
        default -> {
          var pinned = PinnedSubAllocator.of(0);
          yield new Source(pinned, pinned::close);
        }
      };
    }
  }

  private static List<Region> take(SubAllocator source) {
    List<Region> regions = new ArrayList<>();
    // The lengths are odd, so that blocks share pages.
    for (int i = 1; i <= 5; i++) {
      regions.add(Objects.requireNonNull(source.allocate(256L * (3000 * i + 1))));
    }
    return regions;
  }

  private static void requireThatANewContextWorks() {
    try (CudaDevice next = CudaDevice.open(CudaUnderTest.driver(), 0)) {
      next.defaultStream().fill(next.allocate(1024).address(), (byte) 1, 1024);
      next.defaultStream().synchronize();
    }
  }

  @Test
  @Tag("long")
  void allocatorAndKernelsTakeTheSameCodesForALostContext() {
    for (int code = 0; code < 1000; code++) {
      assertThat(PrimaryContext.losesContext(code)).as("code %d", code).isEqualTo(CudaFailure.losesContext(code));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "virtual", "pinned"})
  void regionsOfALostContextAreGivenBackAndTheSourceCloses(String kind) {
    Simulator simulator = CudaUnderTest.simulator();
    String before = simulator.leaks();
    CudaDevice device = CudaDevice.open(CudaUnderTest.driver(), 0);
    Source held = Source.of(kind);
    List<Region> regions = take(held.source());
    simulator.loseContext();
    CudaFailure lost = catchThrowableOfType(CudaFailure.class, device::synchronize);
    assertThat(lost.losesContext()).isTrue();
    if (!kind.equals("virtual")) {
      // Physical memory belongs to no context.
      assertThat(catchThrowableOfType(CudaSourceFailure.class, () -> held.source().allocate(1 << 20))).isNotNull();
    }
    regions.forEach(held.source()::release);
    held.end().run();
    device.close();
    assertThat(simulator.leaks()).isEqualTo(before);
    requireThatANewContextWorks();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "virtual", "pinned"})
  @Tag("long")
  void aFaultThatIsToldOnceOfAContextThatWorksLeavesNothing(String kind) {
    Simulator simulator = CudaUnderTest.simulator();
    String before = simulator.leaks();
    for (String call : List.of("cuMemFree_v2", "cuMemFreeHost", "cuCtxSynchronize", "cuMemUnmap", "cuMemRelease",
      "cuMemAddressFree", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent")) {
      for (int turn = 1; turn <= 6; turn++) {
        Source held = Source.of(kind);
        List<Region> regions = take(held.source());
        simulator.fail(call, turn, LAUNCH_FAILED);
        for (Region region : regions) {
          try {
            held.source().release(region);
          } catch (CudaSourceFailure e) {
            held.source().release(region);
          }
        }
        try {
          held.end().run();
        } catch (CudaSourceFailure e) {
          held.end().run();
        }
        simulator.clear(call);
        assertThat(simulator.leaks()).as("call=%s turn=%d", call, turn).isEqualTo(before);
      }
    }
    requireThatANewContextWorks();
  }
}
