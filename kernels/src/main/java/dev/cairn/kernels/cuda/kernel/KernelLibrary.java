package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.compile.CudaSource;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The functions of this library's CUDA sources on one device, each source compiled and loaded when it is first asked
 * for. The modules go with the device. Safe for use by many threads.
 */
public final class KernelLibrary {
  /** What sources may include. */
  private static final List<String> HEADERS = List.of("cairn.cuh", "fragment.cuh", "join.cuh", "tile.cuh",
    "window.cuh");
  private static final List<String> OPTIONS = List.of("--std=c++17");

  /** The sources that multiply on tensor cores. */
  private static final Set<String> MULTIPLYING = Set.of("convolution.cu", "gemm.cu");

  private final CudaDevice device;
  private final CudaCompiler compiler;
  private final GemmPrecision ofFloats;
  private final Map<String, String> headers;
  private final Map<Compiled, CudaModule> modules = new ConcurrentHashMap<>();

  private record Compiled(String source, List<String> definitions) {}

  /** The sources, for a device that is open as long as this is used. */
  public KernelLibrary(CudaDevice device, CudaCompiler compiler) {
    this(device, compiler, GemmPrecision.FLOAT32);
  }

  /** @param ofFloats {@code TENSOR_FLOAT32} where products may read 10 bits of the fraction of {@code float32} */
  public KernelLibrary(CudaDevice device, CudaCompiler compiler, GemmPrecision ofFloats) {
    this.device = device;
    this.compiler = compiler;
    this.ofFloats = ofFloats;
    this.headers = HEADERS.stream().collect(Collectors.toMap(it -> it, it -> CudaSource.resource(it).text()));
  }

  /** How exactly products read {@code float32}. */
  public GemmPrecision ofFloats() {
    return ofFloats;
  }

  /** On which its functions run. */
  public CudaDevice device() {
    return device;
  }

  /** A function of a source, {@code reduction.cu}, compiled for elements of one type. */
  public CudaFunction function(String source, DType dtype, String name) {
    List<String> definitions = new ArrayList<>(ElementTypes.definitions(dtype));
    if (ofFloats == GemmPrecision.TENSOR_FLOAT32 && dtype == DType.FLOAT32 && MULTIPLYING.contains(source)) {
      definitions.add("-DTENSOR_FLOATS=1");
    }
    return function(source, definitions, name);
  }

  /**
   * A function of a source compiled with these definitions, {@code -DNAME=value}.
   *
   * @throws dev.cairn.kernels.cuda.compile.CompileFailure when the source is not as it should be
   */
  public CudaFunction function(String source, List<String> definitions, String name) {
    return modules.computeIfAbsent(new Compiled(source, List.copyOf(definitions)), this::load).function(name);
  }

  private CudaModule load(Compiled wanted) {
    List<String> options = new ArrayList<>(OPTIONS);
    options.addAll(wanted.definitions);
    CudaSource source = CudaSource.resource(wanted.source).withHeaders(headers);
    return device.load(compiler.compile(source, device.properties().architecture(), options));
  }
}
