package dev.cairn.kernels.cuda.kernel;

import static dev.cairn.kernels.tensor.DType.BFLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT16;
import static dev.cairn.kernels.tensor.DType.FLOAT32;
import static dev.cairn.kernels.tensor.DType.FLOAT64;
import static dev.cairn.kernels.tensor.DType.INT16;
import static dev.cairn.kernels.tensor.DType.INT32;
import static dev.cairn.kernels.tensor.DType.INT64;
import static dev.cairn.kernels.tensor.DType.INT8;
import static dev.cairn.kernels.tensor.DType.UINT16;
import static dev.cairn.kernels.tensor.DType.UINT32;
import static dev.cairn.kernels.tensor.DType.UINT64;
import static dev.cairn.kernels.tensor.DType.UINT8;

import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * All sets of definitions with which a source may be compiled, so that this can happen at build time. They cover every
 * element type of the catalogue's rows for kernels of that source. To add a source, add a line.
 *
 * @param source the file's name
 * @param definitions the sets of definitions
 * @param tensorCores whether tensor cores multiply half types, and {@code float32} with reduced precision
 */
public record KernelVariants(String source, List<List<String>> definitions, TensorCores tensorCores) {
  /** The variants of all sources, sorted by name. */
  public static final List<KernelVariants> ALL = List.of(
    new KernelVariants("attention.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED),
    new KernelVariants("attention_gradient.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED),
    new KernelVariants("attention_tensor.cu", of(FLOAT16, BFLOAT16), TensorCores.NEEDED),
    new KernelVariants("conversion.cu", pairs(), TensorCores.UNUSED),
    new KernelVariants("convolution.cu", withTensorFloats(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.USED),
    new KernelVariants("elementwise.cu", of(DType.COMPUTED.toArray(DType[]::new)), TensorCores.UNUSED),
    new KernelVariants("gemm.cu", withTensorFloats(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT32, INT64, UINT32, UINT64),
      TensorCores.USED),
    new KernelVariants("gradient.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED),
    new KernelVariants("image.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT8, INT16, INT32, INT64, UINT8, UINT16,
      UINT32, UINT64), TensorCores.UNUSED),
    new KernelVariants("movement.cu", of(UINT8, UINT16, UINT32, UINT64), TensorCores.UNUSED),
    new KernelVariants("normalization.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED),
    new KernelVariants("pool.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT8, UINT8), TensorCores.UNUSED),
    new KernelVariants("quantize.cu", quantized(), TensorCores.UNUSED),
    new KernelVariants("recurrent.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED),
    new KernelVariants("reduction.cu", of(DType.COMPUTED.toArray(DType[]::new)), TensorCores.UNUSED),
    new KernelVariants("selection.cu", of(DType.NUMBERS.toArray(DType[]::new)), TensorCores.UNUSED),
    new KernelVariants("signal.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED),
    new KernelVariants("training.cu", of(FLOAT32, FLOAT64, FLOAT16, BFLOAT16), TensorCores.UNUSED));

  /** The oldest supported architecture. */
  private static final String OLDEST = "sm_75";
  /** The oldest architecture whose tensor cores are used. */
  private static final String WITH_TENSOR_CORES = "sm_80";
  private static final Set<List<String>> ON_TENSOR_CORES = Set.of(CudaElementTypes.definitions(FLOAT16),
    CudaElementTypes
      .definitions(BFLOAT16),
    CudaElementTypes.tensorFloats());

  /** The use of tensor cores by a source. */
  public enum TensorCores {
    UNUSED,
    /** The source uses tensor cores if the device has them. */
    USED,
    /** The source needs tensor cores. */
    NEEDED
  }

  public KernelVariants {
    definitions = definitions.stream().map(List::copyOf).toList();
  }

  private static List<List<String>> of(DType... dtypes) {
    return of(List.of(dtypes));
  }

  private static List<List<String>> of(List<DType> dtypes) {
    return dtypes.stream().map(CudaElementTypes::definitions).toList();
  }

  private static List<List<String>> withTensorFloats(DType... dtypes) {
    List<List<String>> all = new ArrayList<>(of(dtypes));
    all.add(CudaElementTypes.tensorFloats());
    return all;
  }

  private static List<List<String>> pairs() {
    List<List<String>> all = new ArrayList<>();
    for (DType from : DType.COMPUTED) {
      for (DType to : DType.COMPUTED) {
        all.add(CudaElementTypes.definitions(from, to));
      }
    }
    return all;
  }

  private static List<List<String>> quantized() {
    List<List<String>> all = new ArrayList<>(of(INT8, UINT8, INT16, UINT16, INT32));
    for (DType left : List.of(INT8, UINT8)) {
      for (DType right : List.of(INT8, UINT8)) {
        all.add(CudaElementTypes.integerProducts(left, right));
      }
    }
    return all;
  }

  /** The architectures for which these definitions are compiled. Later devices run the code of earlier ones. */
  public List<String> architectures(List<String> defined) {
    return switch (tensorCores) {
      case NEEDED -> List.of(WITH_TENSOR_CORES);
      case USED -> ON_TENSOR_CORES.contains(defined) ? List.of(OLDEST, WITH_TENSOR_CORES) : List.of(OLDEST);
      case UNUSED -> List.of(OLDEST);
    };
  }

  /** Whether a source is listed with these definitions. */
  public static boolean isListed(String source, List<String> definitions) {
    return ALL.stream().anyMatch(it -> it.source.equals(source) && it.definitions.contains(definitions));
  }
}
