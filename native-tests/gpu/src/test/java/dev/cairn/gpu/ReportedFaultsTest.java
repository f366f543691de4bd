package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.LaunchShape;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Faults planted in kernels and launches, each of which must be reported, and after which a new context works. On a GPU
 * a fault of a kernel may end the process's use of the device: then one such fault is tried, after all other tests.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReportedFaultsTest extends OnCuda {
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int LAUNCH_FAILED = 719;

  private static boolean deviceLost;

  @Override
  @BeforeEach
  void openDevice() {
    Assumptions.assumeFalse(deviceLost, "skipped: a kernel's fault has ended this process's use of the GPU");
    super.openDevice();
  }

  /**
   * Requires that the work on the stream fails with a lost context, that the device still closes, and that the next one
   * works.
   */
  private CudaFailure requireLost(Runnable work) {
    CudaFailure failure = catchThrowableOfType(CudaFailure.class, () -> {
      work.run();
      stream.synchronize();
    });
    assertThat(failure).isNotNull();
    assertThat(failure.losesContext()).as(failure.getMessage()).isTrue();
    assertThatThrownBy(stream::synchronize).isInstanceOf(CudaFailure.class);
    assertThatThrownBy(() -> device.allocate(256)).isInstanceOf(CudaFailure.class);
    device.close();
    try (CudaDevice next = CudaDevice.open(CudaUnderTest.driver(), 0)) {
      next.defaultStream().fill(next.allocate(1024).address(), (byte) 1, 1024);
      next.defaultStream().synchronize();
    } catch (CudaFailure e) {
      deviceLost = CudaUnderTest.isReal() && e.losesContext();
      assertThat(deviceLost).as(e.getMessage()).isTrue();
    }
    return failure;
  }

  private static boolean orderIs(String order) {
    return System.getenv().getOrDefault("CAIRN_SIM_ORDER", "forward").startsWith(order);
  }

  /** A block reads what it has written without a barrier: in one order of threads it is right, in another wrong. */
  @Test
  void aRaceShowsInOneOrderOrIsReportedByTheCheck() {
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: a GPU's order of threads can't be chosen");
    CudaFunction race = kernel("""
      extern "C" __global__ void race(int* out) {
        __shared__ int held[64];
        held[threadIdx.x] = (int) threadIdx.x + 1;
        out[threadIdx.x] = threadIdx.x == 0 ? -1 : held[threadIdx.x - 1];
      }
      """, "race");
    long out = upload(new int[64]);
    if (orderIs("check")) {
      CudaFailure failure = requireLost(() -> launch(race, LaunchShape.of(1, 64), out));
      assertThat(failure.code()).isEqualTo(LAUNCH_FAILED);
      return;
    }
    launch(race, LaunchShape.of(1, 64), out);
    int right = 0;
    int[] got = ints(out, 64);
    for (int i = 1; i < 64; i++) {
      right += got[i] == i ? 1 : 0;
    }
    // The forward order does not show the race; the other orders do.
    if (orderIs("forward")) {
      assertThat(right).isEqualTo(63);
    } else {
      assertThat(right).isLessThan(63);
    }
  }

  @Test
  void aBarrierThatNotAllReachIsReported() {
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: a GPU hangs, or goes on, as it likes");
    CudaFunction hang = kernel("""
      extern "C" __global__ void hang(int* out) {
        if (threadIdx.x < 7) {
          __syncthreads();
        } else if (threadIdx.x < 9) {
          out[threadIdx.x] = __shfl_down_sync(0xffffffffu, out[0], 1);
        }
      }
      """, "hang");
    long out = upload(new int[64]);
    CudaFailure failure = requireLost(() -> launch(hang, LaunchShape.of(1, 32), out));
    assertThat(failure.code()).isEqualTo(LAUNCH_FAILED);
  }

  @Test
  void aWriteBeyondAnAllocationIsReported() {
    CudaFunction stray = kernel("""
      extern "C" __global__ void stray(int* out, long long at) { out[at] = 7; }
      """, "stray");
    long out = room(1 << 20);
    CudaFailure failure = requireLost(() -> launch(stray, LaunchShape.of(1, 1), out, 1L << 18));
    assertThat(failure.code()).isIn(ILLEGAL_ADDRESS, LAUNCH_FAILED);
  }

  @Test
  void anIndexOutsideOfSharedMemoryIsReported() {
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: a GPU's block has more shared memory than it asked for");
    CudaFunction stray = kernel("""
      extern "C" __global__ void stray(int* out, int at) {
        __shared__ int held[32];
        held[threadIdx.x + at] = 7;
        __syncthreads();
        out[threadIdx.x] = held[threadIdx.x];
      }
      """, "stray");
    long out = upload(new int[32]);
    CudaFailure failure = requireLost(() -> launch(stray, LaunchShape.of(1, 32), out, 1));
    assertThat(failure.code()).isEqualTo(LAUNCH_FAILED);
  }

  @Test
  void aMisalignedAddressIsReported() {
    CudaFunction stray = kernel("""
      extern "C" __global__ void stray(char* out) { *(double*) (out + 4) = 7; }
      """, "stray");
    long out = room(1024);
    assertThat(requireLost(() -> launch(stray, LaunchShape.of(1, 1), out)).code()).isIn(716, LAUNCH_FAILED);
  }

  @Test
  void aWriteToNullIsReported() {
    CudaFunction stray = kernel("""
      extern "C" __global__ void stray(int* out) { out[threadIdx.x] = 7; }
      """, "stray");
    CudaFailure failure = requireLost(() -> launch(stray, LaunchShape.of(1, 32), 0L));
    assertThat(failure.code()).isIn(ILLEGAL_ADDRESS, LAUNCH_FAILED);
  }

  @Test
  void aTrapIsReported() {
    CudaFunction trap = kernel("extern \"C\" __global__ void stop(int* out) { __trap(); }", "stop");
    assertThat(requireLost(() -> launch(trap, LaunchShape.of(1, 1), 0L)).code()).isIn(LAUNCH_FAILED, 715);
  }

  @Test
  @Order(1)
  void aBadLaunchIsRefusedAndNothingIsLost() {
    CudaFunction nothing = kernel("""
      extern "C" __global__ void __launch_bounds__(64) nothing(int* out) { out[threadIdx.x] = 1; }
      """, "nothing");
    long out = upload(new int[2048]);
    for (LaunchShape bad : new LaunchShape[] {LaunchShape.of(1, 2048), LaunchShape.of(1, 65),
      new LaunchShape(1, 1, 1, 8, 1, 128, 0), new LaunchShape(1, 70_000, 1, 32, 1, 1, 0),
      LaunchShape.of(1, 32).withSharedBytes(1 << 24)}) {
      CudaFailure failure = catchThrowableOfType(CudaFailure.class, () -> launch(nothing, bad, out));
      assertThat(failure).as(bad.toString()).isNotNull().hasMessageContaining("kernel=nothing");
      assertThat(failure.losesContext()).isFalse();
    }
    assertThatThrownBy(() -> LaunchShape.of(0, 1)).isInstanceOf(IllegalArgumentException.class);
    launch(nothing, LaunchShape.of(1, 64), out);
    assertThat(ints(out, 65)).endsWith(1, 0);
  }

  @Test
  @Order(1)
  void objectsOfTwoDevicesDoNotMix() {
    CudaFunction nothing = kernel("extern \"C\" __global__ void nothing(int* out) {}", "nothing");
    try (CudaDevice other = CudaDevice.open(CudaUnderTest.driver(), 0)) {
      assertThatThrownBy(() -> nothing.launch(other.defaultStream(), LaunchShape.of(1, 1), arguments(0L))).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("two devices");
    }
  }

  @Test
  @Order(1)
  void moreMemoryThanThereIsIsRefusedAndLessStillToBeHad() {
    long all = device.memoryInfo().totalBytes();
    CudaFailure failure = catchThrowableOfType(CudaFailure.class, () -> device.allocate(all + 1));
    assertThat(failure.isOutOfMemory()).isTrue();
    assertThat(failure).hasMessageContaining("wantedBytes=" + (all + 1));
    long taken = 0;
    while (taken <= all) {
      try {
        device.allocate(16 << 20);
        taken += 16 << 20;
      } catch (CudaFailure e) {
        assertThat(e.isOutOfMemory()).isTrue();
        break;
      }
    }
    assertThat(taken).isBetween(all / 4, all);
  }
}
