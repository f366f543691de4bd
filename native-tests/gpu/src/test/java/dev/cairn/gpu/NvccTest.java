package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.cuda.kernel.ElementTypes;
import dev.cairn.kernels.tensor.DType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real compiler, where it is installed, takes every kernel source: for the oldest target with each kind of element
 * that it is compiled for, and for today's targets with one of them, with and without CUDA's headers.
 */
class NvccTest {
  private static final Path SOURCES = Path.of(System.getProperty("cairn.root", "."), "kernels/src/main/cuda");
  private static final String OLDEST = "sm_75";
  private static final List<String> OTHERS = List.of("sm_80", "sm_90");
  private static final List<List<String>> REAL = of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64);
  private static final List<List<String>> EVERY = of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64,
    DType.INT8, DType.INT64, DType.UINT16, DType.UINT64, DType.BOOL);
  private static final List<List<String>> MOVED = of(DType.UINT8, DType.UINT16, DType.UINT32, DType.UINT64);
  private static final List<List<String>> PAIRS = List.of(ElementTypes.definitions(DType.FLOAT32, DType.INT8),
    ElementTypes.definitions(DType.FLOAT16, DType.INT64), ElementTypes.definitions(DType.INT32, DType.BFLOAT16),
    ElementTypes.definitions(DType.BOOL, DType.FLOAT64), ElementTypes.definitions(DType.UINT64, DType.UINT8));
  private static final List<List<String>> ON_TENSOR_CORES = List.of(ElementTypes.definitions(DType.FLOAT16),
    ElementTypes.definitions(DType.BFLOAT16), ElementTypes.tensorFloats());
  private static final List<List<String>> MULTIPLIED = of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64,
    DType.INT32, DType.UINT64);
  /** Which elements each source is compiled for. */
  private static final Map<String, List<List<String>>> TYPES = Map.of("attention.cu", REAL, "conversion.cu", PAIRS,
    "convolution.cu", REAL, "elementwise.cu", EVERY, "gemm.cu", MULTIPLIED, "movement.cu", MOVED, "normalization.cu",
    REAL, "pool.cu", EVERY, "reduction.cu", EVERY);
  /** Those that today's targets compile otherwise than the oldest: for tensor cores. */
  private static final Map<String, List<List<String>>> OF_TENSOR_CORES = Map.of("convolution.cu", ON_TENSOR_CORES,
    "gemm.cu", ON_TENSOR_CORES);

  @TempDir
  private Path folder;

  private static List<List<String>> of(DType... dtypes) {
    return List.of(dtypes).stream().map(ElementTypes::definitions).toList();
  }

  @TestFactory
  List<DynamicTest> everySourceCompiles() throws IOException {
    Assumptions.assumeTrue(isInstalled(), "skipped: no nvcc");
    try (var files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".cu")).sorted().toList();
      assertThat(sources).isNotEmpty();
      return sources.stream().map(source -> DynamicTest.dynamicTest(source.getFileName().toString(), () -> compile(
        source))).toList();
    }
  }

  private void compile(Path source) throws IOException, InterruptedException {
    String name = source.getFileName().toString();
    List<List<String>> types = TYPES.get(name);
    assertThat(types).as("say here which elements it is compiled for").isNotNull();
    List<Callable<String>> runs = new ArrayList<>();
    for (List<String> definitions : types) {
      runs.add(() -> compile(source, OLDEST, definitions));
    }
    for (String architecture : OTHERS) {
      for (List<String> definitions : OF_TENSOR_CORES.getOrDefault(name, types.subList(0, 1))) {
        runs.add(() -> compile(source, architecture, definitions));
      }
    }
    List<String> alone = new ArrayList<>(types.getFirst());
    alone.add("-DWITHOUT_CUDA_HEADERS");
    runs.add(() -> compile(source, OLDEST, alone));
    try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      assertThat(threads.invokeAll(runs)).extracting(Future::resultNow).allMatch(String::isEmpty);
    }
  }

  /** What it objects to; nothing where it does not. */
  private String compile(Path source, String architecture, List<String> definitions) throws IOException,
    InterruptedException {
    Path own = Files.createTempDirectory(folder, "run");
    Path log = own.resolve("log");
    List<String> command = new ArrayList<>(List.of("nvcc", "-Werror", "all-warnings", "-std=c++17", "-arch="
      + architecture, "-cubin", "-I", SOURCES.toString(), "-o", own.resolve("out").toString()));
    command.addAll(definitions);
    command.add(source.toString());
    Process nvcc = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    int code = nvcc.waitFor(5, TimeUnit.MINUTES) ? nvcc.exitValue() : -1;
    return code == 0
      ? ""
      : "%s %s: code=%d %s".formatted(architecture, definitions, code, Files.readString(log,
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
