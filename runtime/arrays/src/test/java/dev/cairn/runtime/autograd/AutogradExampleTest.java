package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of gradients in docs/arrays.md is the lines of this file, and prints what the page says. */
class AutogradExampleTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));

  private static void fit(PrintStream out) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withSeed(1)); var _ = arrays.scope()) {
      NDArray x = arrays.random().normal(DType.FLOAT32, 64, 2);
      NDArray wanted = x.matmul(arrays.of(new float[] {2, -3}, 2, 1)).add(0.5);
      NDArray w = arrays.zeros(DType.FLOAT32, 2, 1).attachGradient();
      NDArray b = arrays.zeros(DType.FLOAT32, 1).attachGradient();
      for (int i = 0; i < 100; i++) {
        try (var _ = arrays.scope()) {
          NDArray loss;
          try (var _ = Autograd.record()) {
            loss = x.matmul(w).add(b).sub(wanted).pow(2).mean();
          }
          loss.backward();
          w.subi(w.gradient().mul(0.1));
          b.subi(b.gradient().mul(0.1));
        }
      }
      out.println(w.mul(1000).round().div(1000));
      out.println(b.mul(1000).round().div(1000));
    }
  }

  @Test
  void thePageHasTheseLinesAndSaysWhatTheyPrint() throws IOException {
    var printed = new ByteArrayOutputStream();
    try (var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      fit(out);
    }
    String page = Files.readString(ROOT.resolve("docs/arrays.md"));
    String section = page.substring(page.indexOf("## Gradients"));
    assertThat(block(section, "text")).isEqualTo(printed.toString(StandardCharsets.UTF_8).replace("\r", ""));
    String own = Files.readString(ROOT.resolve(
      "runtime/arrays/src/test/java/dev/cairn/runtime/autograd/AutogradExampleTest.java"));
    assertThat(own).contains(block(section, "java").replace("System.out", "out").indent(4));
  }

  private static String block(String page, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page).results().findFirst()
      .orElseThrow().group(1);
  }
}
