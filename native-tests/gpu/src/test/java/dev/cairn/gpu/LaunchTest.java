package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.LaunchShape;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.testing.GarbageMeter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class LaunchTest extends OnCuda {
  private static float[] randomFloats(int count, long seed) {
    var random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (random.nextDouble() * 2 - 1);
    }
    return values;
  }

  private static final String SCALED_SUM = """
    extern "C" __global__ void scaled_sum(float scale, const float* left, const float* right, float* sum,
        long long count) {
      long long step = (long long) gridDim.x * blockDim.x;
      for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        sum[i] = fmaf(scale, left[i], right[i]);
      }
    }
    """;

  /** The last block is seldom full, and a scalar comes by value. */
  @Test
  void vectorsAreAdded() {
    CudaFunction kernel = kernel(SCALED_SUM, "scaled_sum");
    for (int count : new int[] {1, 31, 32, 33, 255, 1000, 100_003}) {
      checkScaledSum(kernel, LaunchShape.covering(count, 256), count);
    }
  }

  @Test
  void aSmallGridStridesOverALongVector() {
    checkScaledSum(kernel(SCALED_SUM, "scaled_sum"), LaunchShape.of(2, 64), 5000);
  }

  private void checkScaledSum(CudaFunction kernel, LaunchShape shape, int count) {
    float[] left = randomFloats(count, 1);
    float[] right = randomFloats(count, 2);
    long sum = room(4L * count);
    launch(kernel, shape, 0.3f, upload(left), upload(right), sum, (long) count);
    float[] got = floats(sum, count);
    for (int i = 0; i < count; i++) {
      assertThat(got[i]).isEqualTo(Math.fma(0.3f, left[i], right[i]));
    }
  }

  /** Shared memory, barriers and shuffles; the same bits at each launch. */
  @Test
  void rowsAreSummed() {
    CudaFunction kernel = kernel("""
      extern "C" __global__ void sum_rows(const float* values, float* sums, long long rows, long long columns) {
        __shared__ float of_warp[8];
        for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
          float sum = 0.0f;
          for (long long i = threadIdx.x; i < columns; i += blockDim.x) {
            sum += values[row * columns + i];
          }
          for (int apart = 16; apart > 0; apart >>= 1) {
            sum += __shfl_down_sync(0xffffffffu, sum, apart);
          }
          if (threadIdx.x % 32 == 0) {
            of_warp[threadIdx.x / 32] = sum;
          }
          __syncthreads();
          if (threadIdx.x == 0) {
            for (int warp = 1; warp < 8; warp++) {
              sum += of_warp[warp];
            }
            sums[row] = sum;
          }
          __syncthreads();
        }
      }
      """, "sum_rows");
    for (int columns : new int[] {1, 31, 33, 1000, 4097}) {
      int rows = 7;
      float[] values = randomFloats(rows * columns, columns);
      long on = upload(values);
      long sums = room(4L * rows);
      launch(kernel, LaunchShape.of(3, 256), on, sums, (long) rows, (long) columns);
      float[] first = floats(sums, rows);
      launch(kernel, LaunchShape.of(7, 256), on, sums, (long) rows, (long) columns);
      assertThat(floats(sums, rows)).isEqualTo(first);
      for (int row = 0; row < rows; row++) {
        double exact = 0;
        for (int i = 0; i < columns; i++) {
          exact += values[row * columns + i];
        }
        assertThat((double) first[row]).isCloseTo(exact, within(1e-5 * columns));
      }
    }
  }

  @Test
  void dynamicSharedMemoryHoldsABlockThatIsReversed() {
    CudaFunction reverse = kernel("""
      extern "C" __global__ void reverse(int* values, int count) {
        extern __shared__ int held[];
        held[threadIdx.x] = values[blockIdx.x * count + threadIdx.x];
        __syncthreads();
        values[blockIdx.x * count + threadIdx.x] = held[count - 1 - threadIdx.x];
      }
      """, "reverse");
    int[] values = IntStream.range(0, 4 * 500).toArray();
    long on = upload(values);
    launch(reverse, LaunchShape.of(4, 500).withSharedBytes(2000), on, 500);
    int[] got = ints(on, values.length);
    for (int i = 0; i < values.length; i++) {
      assertThat(got[i]).isEqualTo(i / 500 * 500 + 499 - i % 500);
    }
  }

  @Test
  void warpsShuffleAndVote() {
    CudaFunction votes = kernel("""
      extern "C" __global__ void votes(unsigned* out) {
        int lane = threadIdx.x & 31;
        unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
        int any = __any_sync(0xffffffffu, threadIdx.x == 40);
        int all = __all_sync(0xffffffffu, threadIdx.x < 32);
        int next = __shfl_sync(0xffffffffu, lane, (lane + 1) & 31);
        int other = __shfl_xor_sync(0xffffffffu, lane, 5);
        int up = __shfl_up_sync(0xffffffffu, lane, 2);
        unsigned* mine = out + threadIdx.x * 6;
        mine[0] = odd; mine[1] = any; mine[2] = all; mine[3] = next; mine[4] = other; mine[5] = up;
      }
      """, "votes");
    long out = upload(new int[64 * 6]);
    launch(votes, LaunchShape.of(1, 64), out);
    int[] got = ints(out, 64 * 6);
    for (int i = 0; i < 64; i++) {
      int lane = i % 32;
      int[] mine = java.util.Arrays.copyOfRange(got, i * 6, i * 6 + 6);
      assertThat(mine).containsExactly(0xaaaaaaaa, i < 32 ? 0 : 1, i < 32 ? 1 : 0, (lane + 1) % 32, lane ^ 5,
        lane < 2 ? lane : lane - 2);
    }
  }

  @Test
  void atomicsLoseNothing() {
    CudaFunction count = kernel("""
      extern "C" __global__ void count(int* sum, int* least, int* most, unsigned long long* large, float* fraction,
          int* slots) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicAdd(sum, 1);
        atomicMin(least, i);
        atomicMax(most, i);
        atomicAdd(large, 1ull << 33);
        atomicAdd(fraction, 0.5f);
        if (atomicCAS(slots + i % 10, 0, i % 10 + 1) == 0) {
          atomicExch(slots + 10 + i % 10, 7);
        }
      }
      """, "count");
    long at = upload(0, 1000, -1, 0, 0, 0, 0, 0);
    long slots = upload(new int[20]);
    launch(count, LaunchShape.of(10, 100), at, at + 4, at + 8, at + 16, at + 24, slots);
    int[] got = ints(at, 8);
    assertThat(got[0]).isEqualTo(1000);
    assertThat(got[1]).isZero();
    assertThat(got[2]).isEqualTo(999);
    assertThat(got[4]).isZero();
    assertThat(got[5]).isEqualTo(2000);
    assertThat(Float.intBitsToFloat(got[6])).isEqualTo(500f);
    int[] taken = ints(slots, 20);
    for (int i = 0; i < 10; i++) {
      assertThat(taken[i]).isEqualTo(i + 1);
      assertThat(taken[10 + i]).isEqualTo(7);
    }
  }

  @Test
  void halfTypesAreReadAndWritten() {
    Assumptions.assumeFalse(CudaUnderTest.isReal(), "skipped: NVRTC brings no cuda_fp16.h without a toolkit");
    CudaFunction halves = kernel("""
      #include <cuda_fp16.h>
      #include <cuda_bf16.h>
      extern "C" __global__ void halves(const float* in, __half* half_out, __nv_bfloat16* bf_out, int count) {
        int i = threadIdx.x;
        if (i < count) {
          half_out[i] = __hadd(__float2half(in[i]), __float2half(1.0f));
          bf_out[i] = __float2bfloat16(in[i]);
        }
      }
      """, "halves");
    float[] values = {0, 1, -2.5f, 1000, 0.25f, 65000};
    long half = room(12);
    long brain = room(12);
    launch(halves, LaunchShape.of(1, 32), upload(values), half, brain, 6);
    short[] halfBits = shorts(half, 6);
    short[] brainBits = shorts(brain, 6);
    for (int i = 0; i < 6; i++) {
      float asHalf = Float.float16ToFloat(Float.floatToFloat16(values[i]));
      assertThat(halfBits[i]).isEqualTo(Float.floatToFloat16(asHalf + 1));
      int bits = Float.floatToRawIntBits(values[i]);
      assertThat(brainBits[i]).isEqualTo((short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16));
    }
  }

  @Test
  void argumentsOfAllSizesArrive() {
    CudaFunction all = kernel("""
      struct Extents { int of[5]; };
      extern "C" __global__ void all(int a, long long b, float c, double d, bool e, short f, Extents g, double* out) {
        out[0] = a; out[1] = (double) b; out[2] = c; out[3] = d; out[4] = e; out[5] = f;
        for (int i = 0; i < 5; i++) { out[6 + i] = g.of[i]; }
      }
      """, "all");
    long out = room(88);
    var extents = java.nio.ByteBuffer.allocate(20).order(java.nio.ByteOrder.nativeOrder());
    for (int i = 1; i <= 5; i++) {
      extents.putInt(i * 11);
    }
    ArgumentBlock block = ArgumentBlock.ofSizes(4, 8, 4, 8, 4, 4, 20, 8).set(0, -7).set(1, 1L << 40).set(2, 0.25f)
      .set(3, Math.PI).set(4, 1).set(5, -3).set(6, extents.array()).set(7, out);
    all.launch(stream, LaunchShape.of(1, 1), block);
    // The driver has its own copy.
    block.set(0, 99).set(7, 0L);
    int[] words = ints(out, 22);
    double[] got = new double[11];
    for (int i = 0; i < 11; i++) {
      got[i] = Double.longBitsToDouble((words[2 * i] & 0xffffffffL) | ((long) words[2 * i + 1] << 32));
    }
    assertThat(got).containsExactly(-7, 1L << 40, 0.25, Math.PI, 1, -3, 11, 22, 33, 44, 55);
    assertThatThrownBy(() -> block.set(0, 1L)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "slotBytes=4");
  }

  @Test
  void aModuleTellsWhatItLacks() {
    CudaModule module = module("extern \"C\" __global__ void here(int* out) { out[0] = 1; }");
    assertThatThrownBy(() -> module.function("there")).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("name=there");
    CudaFunction here = module.function("here");
    assertThat(here.maximumBlockThreads()).isBetween(32, 1024);
    module.close();
    assertThatThrownBy(() -> launch(here, LaunchShape.of(1, 1), 0L)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anImageThatIsNoneIsRefused() {
    assertThatThrownBy(() -> device.load(new byte[] {1, 2, 3, 4})).isInstanceOfSatisfying(CudaFailure.class,
      it -> assertThat(it.call()).startsWith("cuModuleLoadData")).hasMessageContaining("imageBytes=");
  }

  /** The driver is not told where an image ends, and would read on. */
  @Test
  void anImageThatIsCutOffIsRefused() {
    byte[] whole = CudaUnderTest.compiler().compile(CudaProgram.of("one.cu",
      "extern \"C\" __global__ void one(int* out) { out[0] = 1; }"), device.properties().architecture(), List.of());
    device.load(whole).close();
    for (int length : new int[] {4, 40, 63, 64, 100, whole.length / 2, whole.length - 1}) {
      assertThatThrownBy(() -> device.load(Arrays.copyOf(whole, length))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("imageBytes=" + length);
    }
  }

  @Test
  void launchesOfPreparedArgumentsLeaveNoGarbage() {
    CudaFunction nothing = kernel("extern \"C\" __global__ void nothing(int* out, long long count) {}", "nothing");
    ArgumentBlock block = arguments(0L, 0L);
    LaunchShape shape = LaunchShape.of(1, 1);
    long bytes = GarbageMeter.leastBytes(() -> {
      for (int i = 0; i < 200; i++) {
        nothing.launch(stream, shape, block);
      }
    });
    stream.synchronize();
    assertThat(bytes).as("bytes for 200 launches").isLessThan(200);
  }
}
