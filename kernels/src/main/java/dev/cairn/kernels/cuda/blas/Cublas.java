package dev.cairn.kernels.cuda.blas;

import static jcuda.cudaDataType.CUDA_R_16BF;
import static jcuda.cudaDataType.CUDA_R_16F;
import static jcuda.cudaDataType.CUDA_R_32F;
import static jcuda.jcublas.cublasComputeType.CUBLAS_COMPUTE_32F;
import static jcuda.jcublas.cublasComputeType.CUBLAS_COMPUTE_32F_FAST_TF32;
import static jcuda.jcublas.cublasGemmAlgo.CUBLAS_GEMM_DEFAULT;
import static jcuda.jcublas.cublasOperation.CUBLAS_OP_N;
import static jcuda.jcublas.cublasOperation.CUBLAS_OP_T;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DevicePointer;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import jcuda.Pointer;
import jcuda.jcublas.JCublas2;
import jcuda.jcublas.cublasHandle;
import jcuda.jcublas.cublasStatus;
import jcuda.runtime.cudaStream_t;
import org.jspecify.annotations.Nullable;

/**
 * cuBLAS on one device. No other class calls cuBLAS, which must be loaded together with JCuda's native. Thread-safe,
 * one call at a time. Close it before its device.
 *
 * <p>cuBLAS's matrices are column-major. A row-major matrix, read as column-major, is its own transpose. So this class
 * computes {@code C = A B} as {@code Cᵀ = Bᵀ Aᵀ}, and never transposes anything in memory.
 */
public final class Cublas implements AutoCloseable {
  private static final String GEMM = "cublasGemmStridedBatchedEx";
  private static final long WORKSPACE_ALIGNMENT = 256;
  private static final long MOST_PARTS = 64;

  private final CudaDevice device;
  private final cublasHandle handle;
  private final FloatBuffer factors = ByteBuffer.allocateDirect(2 * Float.BYTES).order(ByteOrder.nativeOrder())
    .asFloatBuffer();
  private final Pointer alpha = Pointer.to(factors);
  private final Pointer beta = alpha.withByteOffset(Float.BYTES);
  private @Nullable CudaStream bound;
  private long boundWorkspace;
  private long boundBytes;
  private boolean closed;

  private Cublas(CudaDevice device, cublasHandle handle) {
    this.device = device;
    this.handle = handle;
  }

  /**
   * Opens cuBLAS for a device.
   *
   * @param loaded proof that cuBLAS is loaded
   * @throws IllegalStateException if cuBLAS is not loaded
   */
  public static Cublas open(LoadedCuda loaded, CudaDevice device) {
    if (loaded.cublas().isEmpty()) {
      throw new IllegalStateException("cuBLAS is not loaded: notes=" + loaded.notes());
    }
    JCublas2.setExceptionsEnabled(false);
    device.makeCurrent();
    cublasHandle handle = new cublasHandle();
    check(JCublas2.cublasCreate(handle), "cublasCreate", "");
    return new Cublas(device, handle);
  }

  /** cuBLAS's version, as 10000 times the major and 100 times the minor number and the patch level. */
  public synchronized int version() {
    enter();
    int[] version = new int[1];
    check(JCublas2.cublasGetVersion(handle, version), "cublasGetVersion", "");
    return version[0];
  }

  /**
   * The workspace for a product with this number of results: NVIDIA's recommendation for the device, but no more than
   * partial sums can fill.
   */
  public long workspaceBytes(long results) {
    long recommended = (device.properties().major() >= 9 ? 32L : 4L) << 20;
    return Math.min(recommended, results * MOST_PARTS * Float.BYTES) + WORKSPACE_ALIGNMENT;
  }

  /** Adds a product to the stream and returns. It uses cuBLAS's own workspace, one for the handle. */
  public synchronized void gemm(CudaStream stream, GemmCall call) {
    gemm(stream, call, 0, 0);
  }

  /**
   * Adds a product to the stream and returns.
   *
   * @param workspace device memory for this product only, so that other products may run at the same time and a capture
   *   allocates nothing
   */
  public synchronized void gemm(CudaStream stream, GemmCall call, long workspace, long workspaceBytes) {
    enter();
    bind(stream, workspace, workspaceBytes);
    factors.put(0, call.alpha()).put(1, call.beta());
    GemmMatrix first = call.right();
    GemmMatrix second = call.left();
    GemmMatrix result = call.result();
    int type = typeOf(call.precision());
    int compute = call.precision() == GemmPrecision.TENSOR_FLOAT32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    int code = call.batch() == 1
      ? JCublas2.cublasGemmEx_new(handle, operation(first), operation(second), call.columns(), call.rows(),
        call.depth(), alpha, new DevicePointer(first.address()), type, first.rowElements(),
        new DevicePointer(second.address()), type, second.rowElements(), beta, new DevicePointer(result.address()),
        type, result.rowElements(), compute, CUBLAS_GEMM_DEFAULT)
      : JCublas2.cublasGemmStridedBatchedEx_new(handle, operation(first), operation(second), call.columns(),
        call.rows(), call.depth(), alpha, new DevicePointer(first.address()), type, first.rowElements(),
        first.batchElements(), new DevicePointer(second.address()), type, second.rowElements(),
        second.batchElements(), beta, new DevicePointer(result.address()), type, result.rowElements(),
        result.batchElements(), call.batch(), compute, CUBLAS_GEMM_DEFAULT);
    if (code != 0) {
      check(code, call.batch() == 1 ? "cublasGemmEx" : GEMM, call.toString());
    }
  }

  private static int operation(GemmMatrix matrix) {
    return matrix.transposed() ? CUBLAS_OP_T : CUBLAS_OP_N;
  }

  private static int typeOf(GemmPrecision precision) {
    return switch (precision) {
      case FLOAT32, TENSOR_FLOAT32 -> CUDA_R_32F;
      case FLOAT16 -> CUDA_R_16F;
      case BFLOAT16 -> CUDA_R_16BF;
    };
  }

  private void bind(CudaStream stream, long workspace, long workspaceBytes) {
    if (stream.device() != device) {
      throw new IllegalArgumentException("stream of another device: device=%s other=%s".formatted(device.id(),
        stream.device().id()));
    }
    // Read each time, because this throws if the stream was closed meanwhile.
    cudaStream_t runtimeHandle = stream.runtimeHandle();
    long first = (workspace + WORKSPACE_ALIGNMENT - 1) & -WORKSPACE_ALIGNMENT;
    long usable = workspaceBytes - (first - workspace);
    long wanted = workspace == 0 || usable <= 0 ? 0 : first;
    // The same address with another size is another workspace: cuBLAS uses the size that it was last given.
    if (bound != stream || boundWorkspace != wanted || boundBytes != usable) {
      bound = null; // until both calls below have succeeded
      // Setting a stream selects cuBLAS's own workspace again.
      check(JCublas2.cublasSetStream(handle, runtimeHandle), "cublasSetStream", "");
      if (wanted != 0) {
        check(JCublas2.cublasSetWorkspace(handle, new DevicePointer(first), usable), "cublasSetWorkspace",
          "address=%d bytes=%d".formatted(first, usable));
      }
      bound = stream;
      boundWorkspace = wanted;
      boundBytes = usable;
    }
  }

  private void enter() {
    if (closed) {
      throw new IllegalStateException("cuBLAS is closed: device=" + device.id());
    }
    device.makeCurrent();
  }

  private static void check(int code, String call, String facts) {
    if (code != 0) {
      throw new CublasFailure(call, code, cublasStatus.stringFor(code), facts);
    }
  }

  /** Closes the handle. In a lost context there is nothing to destroy. If closing fails, the caller may repeat it. */
  @Override
  public synchronized void close() {
    // If its device is already closed, there is no context in which to destroy it.
    if (!closed && device.isOpen()) {
      try {
        enter();
        check(JCublas2.cublasDestroy(handle), "cublasDestroy", "");
      } catch (CudaFailure | CublasFailure e) {
        if (!device.isLost()) {
          throw e;
        }
      }
    }
    closed = true;
  }
}
