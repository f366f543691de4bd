package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaModule;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.kernels.cuda.compile.KernelCompiler;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions of this library's CUDA sources on one device. Compiles and loads each source on first use. Closing the
 * device unloads the modules. Thread-safe.
 */
public final class KernelLibrary {
  private static final Pattern INCLUDE = Pattern.compile("^#include \"([^\"]+)\"", Pattern.MULTILINE);
  private static final List<String> OPTIONS = List.of("--std=c++17");
  /** Options without fused multiply-add: a product and a sum are rounded separately, as if each operator ran alone. */
  private static final List<String> GENERATED_OPTIONS = List.of("--std=c++17", "--fmad=false");

  private final CudaDevice device;
  private final KernelCompiler compiler;
  private final GemmPrecision ofFloats;
  private final Map<Compiled, CudaModule> modules = new ConcurrentHashMap<>();
  private final Map<Generated, CudaModule> generated = new ConcurrentHashMap<>();
  private final Map<Typed, List<String>> definitions = new ConcurrentHashMap<>();
  private final Map<Asked, CudaFunction> functions = new ConcurrentHashMap<>();
  private final Map<GeneratedFunction, CudaFunction> ofGenerated = new ConcurrentHashMap<>();

  private record Compiled(String source, List<String> definitions) {}

  private record Typed(String source, DType dtype) {}

  private record Generated(String text, List<String> options) {}

  private record GeneratedFunction(Generated source, String name) {}

  /** A requested function, and the definitions of its source. */
  public record Asked(String source, List<String> definitions, String function) {}

  /** Creates a library for a device, which must stay open as long as the library is used. */
  public KernelLibrary(CudaDevice device, KernelCompiler compiler) {
    this(device, compiler, GemmPrecision.FLOAT32);
  }

  /** @param ofFloats {@code TENSOR_FLOAT32} if products may read only 10 bits of fraction of {@code float32} */
  public KernelLibrary(CudaDevice device, KernelCompiler compiler, GemmPrecision ofFloats) {
    this.device = device;
    this.compiler = compiler;
    this.ofFloats = ofFloats;
  }

  /** The precision with which products read {@code float32}. */
  public GemmPrecision ofFloats() {
    return ofFloats;
  }

  /** The device that runs its functions. */
  public CudaDevice device() {
    return device;
  }

  /** A function of a source, such as {@code reduction.cu}, compiled for one element type. */
  public CudaFunction function(String source, DType dtype, String name) {
    return function(source, definitions(source, dtype), name);
  }

  /** The definitions with which a source is compiled for one element type. */
  public List<String> definitions(String source, DType dtype) {
    return definitions.computeIfAbsent(new Typed(source, dtype), this::found);
  }

  private List<String> found(Typed wanted) {
    String source = wanted.source;
    DType dtype = wanted.dtype;
    boolean isRounded = ofFloats == GemmPrecision.TENSOR_FLOAT32 && dtype == DType.FLOAT32 && KernelVariants.isListed(
      source, CudaElementTypes.tensorFloats());
    return List.copyOf(isRounded ? CudaElementTypes.tensorFloats() : CudaElementTypes.definitions(dtype));
  }

  /**
   * A function of a source compiled with these definitions, {@code -DNAME=value}.
   *
   * @throws dev.cairn.kernels.cuda.compile.CompileFailure if the source has errors
   */
  public CudaFunction function(String source, List<String> definitions, String name) {
    var wanted = new Asked(source, List.copyOf(definitions), name);
    CudaFunction known = functions.get(wanted);
    return known != null ? known : functions.computeIfAbsent(wanted, this::found);
  }

  private CudaFunction found(Asked wanted) {
    return modules.computeIfAbsent(new Compiled(wanted.source, wanted.definitions), this::load).function(
      wanted.function);
  }

  /** Whether sources that are generated at run time can be compiled, as {@link #generated} needs. */
  public boolean compilesGenerated() {
    return compiler.compilesAnything();
  }

  /**
   * A function of a generated source, compiled on first use.
   *
   * @param text the source, which may include this library's headers. Equal texts are the same source
   */
  public CudaFunction generated(String text, String name) {
    return generated(new Generated(text, GENERATED_OPTIONS), name);
  }

  /**
   * A function of a generated source that includes one of this library's sources, with the definitions of that source.
   *
   * @param definitions {@code -DNAME=value}
   */
  public CudaFunction generated(String text, List<String> definitions, String name) {
    return generated(new Generated(text, options(definitions)), name);
  }

  private CudaFunction generated(Generated wanted, String name) {
    var function = new GeneratedFunction(wanted, name);
    CudaFunction known = ofGenerated.get(function);
    return known != null
      ? known
      : ofGenerated.computeIfAbsent(function, it -> generated.computeIfAbsent(it.source, this::load).function(it.name));
  }

  private CudaModule load(Generated wanted) {
    return device.load(compiler.compile(withIncluded(CudaProgram.of("generated.cu", wanted.text)), device.properties()
      .architecture(), wanted.options));
  }

  private CudaModule load(Compiled wanted) {
    return device.load(compiler.compile(source(wanted.source), device.properties().architecture(), options(
      wanted.definitions)));
  }

  /** All functions requested so far. */
  public Set<Asked> asked() {
    return Set.copyOf(functions.keySet());
  }

  /** A source with only the headers that it includes, so that a change of another header does not recompile it. */
  public static CudaProgram source(String name) {
    return withIncluded(CudaProgram.resource(name));
  }

  private static CudaProgram withIncluded(CudaProgram source) {
    Map<String, String> headers = new HashMap<>();
    addIncluded(source.text(), headers);
    return source.withHeaders(headers);
  }

  private static void addIncluded(String text, Map<String, String> headers) {
    Matcher include = INCLUDE.matcher(text);
    while (include.find()) {
      if (!headers.containsKey(include.group(1))) {
        String header = CudaProgram.resource(include.group(1)).text();
        headers.put(include.group(1), header);
        addIncluded(header, headers);
      }
    }
  }

  /** The compiler options for a source with these definitions. */
  public static List<String> options(List<String> definitions) {
    List<String> options = new ArrayList<>(OPTIONS);
    options.addAll(definitions);
    return options;
  }
}
