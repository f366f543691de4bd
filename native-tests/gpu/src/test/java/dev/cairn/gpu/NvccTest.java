package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.epilogue.CudaFusedProduct;
import dev.cairn.kernels.cuda.kernel.CudaElementTypes;
import dev.cairn.kernels.cuda.kernel.KernelVariants;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real compiler, where it is installed, takes every kernel source. Every build compiles for the first type of
 * elements and for halves, without optimising, which takes less than half the time and refuses the same sources. The
 * soaks compile all of {@link KernelVariants} as the library does.
 */
@Tag("long")
class NvccTest {
  private static final Path SOURCES = Path.of(System.getProperty("cairn.root", "."), "kernels/src/main/cuda");
  private static final String TODAYS = "sm_90";
  private static final String OLDEST = "sm_75";
  private static final String MIDDLE = "sm_80";
  private static final List<String> ARCHITECTURES = List.of(OLDEST, MIDDLE, TODAYS);
  private static final List<String> HALVES = CudaElementTypes.definitions(DType.FLOAT16);
  private static final List<String> UNOPTIMISED = List.of("-Xcicc", "-O0", "-Xptxas", "-O0");

  @TempDir
  private Path folder;

  /** One way to compile a source. */
  private record Way(String architecture, List<String> definitions, List<String> options) {
    Way(String architecture, List<String> definitions) {
      this(architecture, definitions, List.of());
    }

    Way unoptimised() {
      return new Way(architecture, definitions, UNOPTIMISED);
    }
  }

  /**
   * The oldest target without CUDA's headers, and today's with them. The target between the two only for definitions
   * that have code of their own there, for tensor cores.
   */
  private static Set<Way> some(KernelVariants variants) {
    List<String> first = variants.definitions().getFirst();
    List<String> halves = variants.definitions().contains(HALVES) ? HALVES : first;
    List<String> alone = new ArrayList<>(first);
    alone.add("-DWITHOUT_CUDA_HEADERS");
    String oldest = variants.architectures(first).getFirst();
    Set<Way> ways = new LinkedHashSet<>(List.of(new Way(oldest, alone), new Way(TODAYS, halves)));
    for (List<String> definitions : variants.definitions()) {
      if (variants.architectures(definitions).contains(MIDDLE)) {
        ways.add(new Way(MIDDLE, definitions));
      }
    }
    return ways;
  }

  private static Set<Way> all(KernelVariants variants) {
    Set<Way> ways = some(variants);
    for (List<String> definitions : variants.definitions()) {
      int oldest = ARCHITECTURES.indexOf(variants.architectures(definitions).getFirst());
      for (String architecture : ARCHITECTURES.subList(oldest, ARCHITECTURES.size())) {
        ways.add(new Way(architecture, definitions));
      }
    }
    return ways;
  }

  @TestFactory
  List<DynamicTest> everySourceCompiles() throws IOException {
    return tests(it -> some(it).stream().map(Way::unoptimised).collect(Collectors.toSet()));
  }

  @TestFactory
  @Tag("soak")
  List<DynamicTest> everySourceCompilesForAllThatIsAskedFor() throws IOException {
    return tests(NvccTest::all);
  }

  private List<DynamicTest> tests(Function<KernelVariants, Set<Way>> ways) throws IOException {
    Assumptions.assumeTrue(isInstalled(), "skipped: no nvcc");
    try (var files = Files.walk(SOURCES)) {
      assertThat(files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".cu")).sorted())
        .isEqualTo(KernelVariants.ALL.stream().map(KernelVariants::source).sorted().toList());
    }
    return KernelVariants.ALL.stream().map(it -> DynamicTest.dynamicTest(it.source(), () -> compile(SOURCES.resolve(it
      .source()), ways.apply(it)))).toList();
  }

  /** Sources that are generated for products with what follows them. */
  @TestFactory
  List<DynamicTest> everyProductWithAnEpilogueCompiles() {
    return epilogues(List.of(new Way(OLDEST, CudaElementTypes.definitions(DType.FLOAT32)).unoptimised(),
      new Way(TODAYS, HALVES).unoptimised()));
  }

  @TestFactory
  @Tag("soak")
  List<DynamicTest> everyProductWithAnEpilogueCompilesForAllTargets() {
    return epilogues(ARCHITECTURES.stream().flatMap(it -> Stream.of(DType.FLOAT32, DType.FLOAT16).map(dtype -> new Way(
      it, CudaElementTypes.definitions(dtype)))).toList());
  }

  private List<DynamicTest> epilogues(List<Way> ways) {
    Assumptions.assumeTrue(isInstalled(), "skipped: no nvcc");
    return Stream.of("Conv", "MatMul").map(product -> DynamicTest.dynamicTest(product, () -> compileEpilogues(product,
      ways))).toList();
  }

  /** Compiles programs of every way to stretch, of several types and results. */
  private void compileEpilogues(String product, List<Way> ways) throws IOException, InterruptedException {
    List<Callable<String>> runs = new ArrayList<>();
    for (Way way : ways) {
      DType dtype = way.definitions.equals(HALVES) ? DType.FLOAT16 : DType.FLOAT32;
      Path source = Files.createTempDirectory(folder, "generated").resolve(product + ".cu");
      Files.writeString(source, CudaFusedProduct.source(epilogue(product, dtype)));
      runs.add(() -> compile(source, way));
    }
    requireSilence(runs);
  }

  private static KernelSignature epilogue(String product, DType dtype) {
    String program = "%0 = Add(x0, x1) T; %1 = Mul(%0, x2) T; %2 = Sigmoid(%1) T; %3 = Sub(%2, x3) T; "
      + "%4 = Cast(%3) float64; %5 = Relu(%0) T; return %4, %5";
    Attributes attributes = Attributes.NONE.with("product", new AttributeValue.Text(product))
      .with("program", new AttributeValue.Text(program.replace("T", dtype.toString())))
      .with("4.to", new AttributeValue.Text("float64"));
    TensorType square = TensorType.of(dtype, 2, 4, 4);
    Optional<TensorType> operand = Optional.of(square);
    return new KernelSignature(List.of(operand, operand, Optional.empty(), operand, Optional.of(TensorType.of(dtype, 4,
      1)), Optional.of(TensorType.of(dtype))), List.of(square.withDType(DType.FLOAT64), square), attributes);
  }

  private static void requireSilence(List<Callable<String>> runs) throws InterruptedException {
    try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      assertThat(threads.invokeAll(runs)).extracting(Future::resultNow).allMatch(String::isEmpty);
    }
  }

  private void compile(Path source, Set<Way> ways) throws InterruptedException {
    List<Callable<String>> runs = new ArrayList<>();
    ways.forEach(way -> runs.add(() -> compile(source, way)));
    requireSilence(runs);
  }

  /** What it objects to; nothing where it does not. */
  private String compile(Path source, Way way) throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(folder, "run");
    Path log = own.resolve("log");
    List<String> command = new ArrayList<>(List.of("nvcc", "-Werror", "all-warnings", "-std=c++17", "-arch="
      + way.architecture, "-cubin", "-I", SOURCES.toString(), "-o", own.resolve("out").toString()));
    command.addAll(way.definitions);
    command.addAll(way.options);
    command.add(source.toString());
    Process nvcc = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int code = nvcc.waitFor();
    return code == 0
      ? ""
      : "%s: code=%d %s".formatted(way, code, Files.readString(log,
        StandardCharsets.UTF_8));
  }

  private static boolean isInstalled() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, "nvcc"))) {
        return true;
      }
    }
    return false;
  }
}
