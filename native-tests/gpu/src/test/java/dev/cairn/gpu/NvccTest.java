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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The real compiler, where it is installed, takes every kernel source for the oldest target and for today's. */
class NvccTest {
  private static final Path SOURCES = Path.of(System.getProperty("cairn.root", "."), "kernels/src/main/cuda");
  private static final List<String> TARGETS = List.of("75", "80", "90");
  private static final List<DType> REAL = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

  @TempDir
  private Path folder;

  @TestFactory
  List<DynamicTest> everySourceCompiles() throws IOException {
    Assumptions.assumeTrue(isInstalled(), "skipped: no nvcc");
    List<DynamicTest> all = new ArrayList<>();
    try (var files = Files.list(SOURCES)) {
      for (Path source : files.filter(file -> file.toString().endsWith(".cu")).sorted().toList()) {
        for (DType dtype : types(source.getFileName().toString())) {
          all.add(DynamicTest.dynamicTest(source.getFileName() + " " + dtype, () -> compile(source, dtype)));
        }
      }
    }
    assertThat(all).isNotEmpty();
    return all;
  }

  /** Enough of those that a source is compiled for to come by each of its branches. */
  private static List<DType> types(String source) {
    return switch (source) {
      case "normalization.cu" -> REAL;
      case "movement.cu" -> List.of(DType.UINT8, DType.UINT16, DType.UINT32, DType.UINT64);
      case "elementwise.cu", "conversion.cu", "reduction.cu", "pool.cu" -> {
        List<DType> all = new ArrayList<>(REAL);
        all.addAll(List.of(DType.INT8, DType.INT64, DType.UINT64, DType.BOOL));
        yield all;
      }
      default -> List.of(DType.FLOAT32);
    };
  }

  private void compile(Path source, DType dtype) throws IOException, InterruptedException {
    List<String> definitions = ElementTypes.definitions(dtype, DType.INT32);
    check(source, definitions);
    if (dtype.isHalf()) {
      // For machines that have NVRTC and no headers; the simulator takes no inline PTX, so only nvcc can judge it.
      List<String> alone = new ArrayList<>(definitions);
      alone.add("-DWITHOUT_CUDA_HEADERS");
      check(source, alone);
    }
  }

  private void check(Path source, List<String> definitions) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("nvcc", "-std=c++17", "-fatbin", "--threads", "0", "-o", folder
      .resolve("out").toString(), source.toString()));
    TARGETS.forEach(it -> command.addAll(List.of("-gencode", "arch=compute_%s,code=sm_%s".formatted(it, it))));
    command.addAll(definitions);
    Path log = folder.resolve("log");
    Process nvcc = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(nvcc.waitFor(300, TimeUnit.SECONDS)).as("nvcc ended: %s", command).isTrue();
    assertThat(nvcc.exitValue()).as("%s: %s", command, Files.readString(log, StandardCharsets.UTF_8)).isZero();
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
