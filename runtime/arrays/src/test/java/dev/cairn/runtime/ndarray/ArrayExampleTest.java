package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.expression.Index;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/arrays.md are the lines of this file, and print what the page says. */
class ArrayExampleTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));

  private static void first(PrintStream out) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 2, 2);
      NDArray y = x.matmul(x.transpose()).add(1).relu(); // returns at once
      out.println(y); // waits
      x.set(0, Index.parse("0, :")); // in place; y was computed from the old values
      out.println(x.get("::-1").sum(1));
    }
  }

  private static void options(PrintStream out) {
    ArrayMemory memory = ArrayMemory.DEFAULT.withKind(ArrayMemory.Kind.UNPOOLED).withLimitBytes(1L << 30);
    ArrayOptions options = ArrayOptions.DEFAULT.withEngine(EngineOptions.Kind.NAIVE).withMemory(memory);
    try (var arrays = ArrayRuntime.open(options); var _ = arrays.scope()) {
      NDArray total = arrays.zeros(DType.FLOAT64, 3);
      for (int i = 0; i < 10; i++) {
        try (var _ = arrays.scope()) {
          total.addi(arrays.full(i, DType.FLOAT64, 3)); // the inner scope closes what the loop makes
        }
      }
      out.println(total);
    }
  }

  private static void fused(PrintStream out) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
      NDArray x = arrays.ones(DType.FLOAT32, 1024, 1024);
      NDArray y;
      try (var _ = arrays.bulk(15); var temporary = arrays.scope()) {
        y = temporary.keep(x.mul(2).add(1).sqrt()); // x.mul(2) and its sum take no memory
      } // the scope closes them, then the bulk runs: one kernel
      out.println(y.get("0, :3") + " fused: " + arrays.stats().fusedCalls());
    }
  }

  private static String printed(Consumer<PrintStream> example) {
    var printed = new ByteArrayOutputStream();
    try (var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      example.accept(out);
    }
    return printed.toString(StandardCharsets.UTF_8).replace("\r", "");
  }

  @Test
  void thePageHasTheseLinesAndSaysWhatTheyPrint() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/arrays.md"));
    assertThat(blocks(page, "text", 0)).isEqualTo(printed(out -> {
      first(out);
      options(out);
    }));
    assertThat(blocks(page, "text", 1)).isEqualTo(printed(ArrayExampleTest::fused));
    String own = Files.readString(ROOT.resolve(
      "runtime/arrays/src/test/java/dev/cairn/runtime/ndarray/ArrayExampleTest.java"));
    for (int i = 0; i < 3; i++) {
      String block = blocks(page, "java", i).replace("System.out", "out").indent(4);
      assertThat(own).contains(block);
    }
  }

  private static String blocks(String page, String language, int index) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page).results().skip(index)
      .findFirst().orElseThrow().group(1);
  }
}
