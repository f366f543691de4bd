package dev.cairn.runtime.backend;

import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.row.ProcessorKernels;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device that a model runs on, and how the device is used.
 *
 * @param kind the processor, a GPU, or either
 * @param ordinal the GPU's number, from 0
 * @param required whether opening fails if no GPU is usable. Always true for a named GPU; {@link Kind#AUTO} falls back
 *   to the processor
 * @param replay whether a GPU records runs as CUDA graphs and repeats them, instead of launching each step of each run
 * @param math the precision with which a GPU multiplies {@code float32}
 * @param convolutions the kernels that a GPU may use for convolutions
 * @param kernels the kernels that the processor may use
 * @param search where to look for CUDA; empty to follow the environment
 */
public record DeviceOptions(Kind kind, int ordinal, boolean required, boolean replay, FloatMath math,
  Convolutions convolutions, ProcessorKernels.Wanted kernels, Optional<CudaSearch> search) {
  /** The kind of device. */
  public enum Kind {
    CPU,
    CUDA,
    /** A GPU if there is one with kernels for the model, otherwise the processor. */
    AUTO
  }

  /** The precision of {@code float32} products. Sums are {@code float32} in either case. */
  public enum FloatMath {
    /** Full {@code float32} precision. */
    FP32,
    /** On a GPU that supports it, tensor cores read factors with 10 bits of fraction. */
    TF32
  }

  /** The kernels for convolutions if cuDNN is installed. Without cuDNN, all constants have the same effect. */
  public enum Convolutions {
    /**
     * The fastest kernel by measurement: all kernels are tried on the GPU once for each convolution of a model. If two
     * are about as fast, another process may choose the other one.
     */
    MEASURED,
    /** Cairn's own kernels, and cuBLAS for a convolution that is a plain matrix product. Does not look for cuDNN. */
    OWN,
    /** The kernel that cuDNN recommends, if it has one. Measures nothing. */
    CUDNN
  }

  public DeviceOptions {
    required |= kind == Kind.CUDA;
  }

  /** The processor, which is the default: every machine has one. */
  public static final DeviceOptions CPU = new DeviceOptions(Kind.CPU, 0, false, true, FloatMath.FP32,
    Convolutions.MEASURED, ProcessorKernels.Wanted.WINOGRAD, Optional.empty());
  /** A GPU if one is usable, otherwise the processor. */
  public static final DeviceOptions AUTO = new DeviceOptions(Kind.AUTO, 0, false, true, FloatMath.FP32,
    Convolutions.MEASURED, ProcessorKernels.Wanted.WINOGRAD, Optional.empty());

  private static final Pattern CUDA = Pattern.compile("(?:cuda|gpu)(?::(\\d{1,3}))?");

  /** The GPU with this number. Opening it fails if there is none. */
  public static DeviceOptions cuda(int ordinal) {
    if (ordinal < 0) {
      throw new IllegalArgumentException("GPUs are counted from 0: ordinal=" + ordinal);
    }
    return new DeviceOptions(Kind.CUDA, ordinal, false, true, FloatMath.FP32, Convolutions.MEASURED,
      ProcessorKernels.Wanted.WINOGRAD, Optional.empty());
  }

  /**
   * A simulated CUDA that runs on the processor, for tests.
   *
   * @param libraries the folder with the simulator's driver and other libraries, which must exist
   * @param search where to look for everything else
   */
  public static DeviceOptions simulated(Path libraries, CudaSearch search) {
    return cuda(0).withSearch(search.withDriver(libraries.resolve("libcuda.so.1"))
      .withLibraryFolders(List.of(libraries)));
  }

  /**
   * Parses a device's name: {@code cpu}, {@code cuda}, {@code cuda:1} (or {@code gpu:1}) or {@code auto}.
   *
   * @throws IllegalArgumentException if the name is none of these
   */
  public static DeviceOptions of(String name) {
    Matcher cuda = CUDA.matcher(name);
    if (cuda.matches()) {
      return cuda(cuda.group(1) == null ? 0 : Integer.parseInt(cuda.group(1)));
    }
    return switch (name) {
      case "cpu" -> CPU;
      case "auto" -> AUTO;
      default -> throw new IllegalArgumentException("no such kind of device: device=%s known=%s".formatted(name,
        List.of("auto", "cpu", "cuda:N")));
    };
  }

  /** Whether to use the processor if no GPU is usable. */
  public boolean mayFallBack() {
    return kind == Kind.AUTO && !required;
  }

  public DeviceOptions withRequired(boolean wanted) {
    return new DeviceOptions(kind, ordinal, wanted, replay, math, convolutions, kernels, search);
  }

  public DeviceOptions withReplay(boolean wanted) {
    return new DeviceOptions(kind, ordinal, required, wanted, math, convolutions, kernels, search);
  }

  public DeviceOptions withMath(FloatMath wanted) {
    return new DeviceOptions(kind, ordinal, required, replay, wanted, convolutions, kernels, search);
  }

  public DeviceOptions withConvolutions(Convolutions wanted) {
    return new DeviceOptions(kind, ordinal, required, replay, math, wanted, kernels, search);
  }

  public DeviceOptions withKernels(ProcessorKernels.Wanted wanted) {
    return new DeviceOptions(kind, ordinal, required, replay, math, convolutions, wanted, search);
  }

  /**
   * For a session whose memory is limited: without kernels that store more weights than the model has, such as those of
   * Winograd's algorithm.
   */
  public DeviceOptions withLimitedMemory() {
    return kernels == ProcessorKernels.Wanted.WINOGRAD ? withKernels(ProcessorKernels.Wanted.ONEDNN) : this;
  }

  public DeviceOptions withSearch(CudaSearch other) {
    return new DeviceOptions(kind, ordinal, required, replay, math, convolutions, kernels, Optional.of(other));
  }
}
