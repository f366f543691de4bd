package dev.cairn.runtime.backend;

import dev.cairn.kernels.catalog.family.ProcessorKernels;
import dev.cairn.kernels.cuda.load.CudaSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which device a model is to run on, and how.
 *
 * @param kind processor, GPU, or a GPU where one serves
 * @param ordinal which GPU, from 0
 * @param required whether it is a failure when no GPU can be used; always so for a GPU that is named, while
 *   {@link Kind#AUTO} takes the processor then
 * @param replay whether a GPU repeats whole runs as graphs, rather than be given each step of each run
 * @param math how exactly a GPU multiplies {@code float32}
 * @param convolutions which kernels a GPU may take for convolutions
 * @param kernels which kernels the processor may take
 * @param search where CUDA is looked for; empty for what the environment says
 */
public record DeviceOptions(Kind kind, int ordinal, boolean required, boolean replay, FloatMath math,
  Convolutions convolutions, ProcessorKernels.Wanted kernels, Optional<CudaSearch> search) {
  /** What is asked for. */
  public enum Kind {
    CPU,
    CUDA,
    /** A GPU where there is one that has kernels for the model, the processor else. */
    AUTO
  }

  /** How products of {@code float32} are computed; sums are {@code float32} in either case. */
  public enum FloatMath {
    /** Every bit counts. */
    FP32,
    /** Factors are read with 10 bits of fraction, by tensor cores, where a GPU has them for that. */
    TF32
  }

  /** Which kernels serve convolutions where cuDNN is installed; where it is not, all of these are the same. */
  public enum Convolutions {
    /**
     * Whichever is fastest when all are tried on the GPU, once for each convolution that a model has. Another process
     * may choose another one where two are about as fast.
     */
    MEASURED,
    /** Cairn's own, and cuBLAS where a convolution is a plain product; cuDNN is not even looked for. */
    OWN,
    /** cuDNN wherever it has one, by what it advises; nothing is timed. */
    CUDNN
  }

  public DeviceOptions {
    required |= kind == Kind.CUDA;
  }

  /** The processor, which is there on every machine: a GPU is asked for. */
  public static final DeviceOptions CPU = new DeviceOptions(Kind.CPU, 0, false, true, FloatMath.FP32,
    Convolutions.MEASURED, ProcessorKernels.Wanted.ONEDNN, Optional.empty());
  /** A GPU where one serves, the processor elsewhere. */
  public static final DeviceOptions AUTO = new DeviceOptions(Kind.AUTO, 0, false, true, FloatMath.FP32,
    Convolutions.MEASURED, ProcessorKernels.Wanted.ONEDNN, Optional.empty());

  private static final Pattern CUDA = Pattern.compile("cuda(?::(\\d{1,3}))?");

  /** The GPU of this number; opening it fails where there is none. */
  public static DeviceOptions cuda(int ordinal) {
    if (ordinal < 0) {
      throw new IllegalArgumentException("GPUs are counted from 0: ordinal=" + ordinal);
    }
    return new DeviceOptions(Kind.CUDA, ordinal, false, true, FloatMath.FP32, Convolutions.MEASURED,
      ProcessorKernels.Wanted.ONEDNN, Optional.empty());
  }

  /**
   * A CUDA that runs on the processor, for tests.
   *
   * @param libraries the folder with its driver and the other libraries; they are required
   * @param search for all else
   */
  public static DeviceOptions simulated(Path libraries, CudaSearch search) {
    return cuda(0).withSearch(search.withDriver(libraries.resolve("libcuda.so.1"))
      .withLibraryFolders(List.of(libraries)));
  }

  /**
   * By name: {@code cpu}, {@code cuda}, {@code cuda:1}, {@code auto}.
   *
   * @throws IllegalArgumentException when there is no such name
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

  /** Whether the processor may serve where a GPU cannot. */
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

  public DeviceOptions withSearch(CudaSearch other) {
    return new DeviceOptions(kind, ordinal, required, replay, math, convolutions, kernels, Optional.of(other));
  }
}
