package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.compile.CudaSource;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The functions of this library's CUDA sources on one device, each source compiled and loaded when it is first asked
 * for. The modules go with the device. Safe for use by many threads.
 */
public final class KernelLibrary {
  /** What sources may include. */
  private static final List<String> HEADERS = List.of("cairn.cuh", "fragment.cuh", "fused.cuh", "join.cuh",
    "pointwise.cuh", "tile.cuh", "window.cuh");
  private static final List<String> OPTIONS = List.of("--std=c++17");
  /** A product and a sum of two operators are rounded one after the other, as they are where each is run alone. */
  private static final List<String> GENERATED_OPTIONS = List.of("--std=c++17", "--fmad=false");

  private final CudaDevice device;
  private final CudaCompiler compiler;
  private final Map<String, String> headers;
  private final Map<Compiled, CudaModule> modules = new ConcurrentHashMap<>();

  private final Map<String, CudaModule> generated = new ConcurrentHashMap<>();

  private record Compiled(String source, List<String> definitions) {}

  /** The sources, for a device that is open as long as this is used. */
  public KernelLibrary(CudaDevice device, CudaCompiler compiler) {
    this.device = device;
    this.compiler = compiler;
    this.headers = HEADERS.stream().collect(Collectors.toMap(it -> it, it -> CudaSource.resource(it).text()));
  }

  /** On which its functions run. */
  public CudaDevice device() {
    return device;
  }

  /** A function of a source, {@code reduction.cu}, compiled for elements of one type. */
  public CudaFunction function(String source, DType dtype, String name) {
    return function(source, ElementTypes.definitions(dtype), name);
  }

  /**
   * A function of a source compiled with these definitions, {@code -DNAME=value}.
   *
   * @throws dev.cairn.kernels.cuda.compile.CompileFailure when the source is not as it should be
   */
  public CudaFunction function(String source, List<String> definitions, String name) {
    return modules.computeIfAbsent(new Compiled(source, List.copyOf(definitions)), this::load).function(name);
  }

  /** Whether sources that are written while a program runs can be compiled: what {@link #generated} needs. */
  public boolean compilesGenerated() {
    return true;
  }

  /**
   * A function of a source that was written just now, compiled when it is first seen.
   *
   * @param text which may include this library's headers; the same text is the same source
   */
  public CudaFunction generated(String text, String name) {
    return generated.computeIfAbsent(text, it -> device.load(compiler.compile(CudaSource.of("generated.cu", it)
      .withHeaders(headers), device.properties().architecture(), GENERATED_OPTIONS))).function(name);
  }

  private CudaModule load(Compiled wanted) {
    List<String> options = new ArrayList<>(OPTIONS);
    options.addAll(wanted.definitions);
    CudaSource source = CudaSource.resource(wanted.source).withHeaders(headers);
    return device.load(compiler.compile(source, device.properties().architecture(), options));
  }
}
