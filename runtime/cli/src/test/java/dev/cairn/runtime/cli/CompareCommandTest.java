package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir
  private Path folder = Path.of("");

  @Test
  void eachNodeIsALayerUnlessNeighboursAreFused() throws IOException {
    Path sum = SmallModels.fixed(folder, 10, 20, 30);
    assertThat(layers(sum)).as("Add and Relu").isEqualTo(2);
    assertThat(layers(sum, "--no-fusion")).isEqualTo(2);
    assertThat(layers(sum, "--fused")).isEqualTo(1);
    assertThat(layers(sum, "--fusion")).isEqualTo(1);
  }

  @Test
  void theProcessorIsComparedWithItsPortableKernels() throws IOException {
    String text = Outcome.ok("compare", "mlp", "--device", "cpu");
    assertThat(text).contains("layers agree within", "device ", "reference ", "kernels: portable");
    // Sums in another order differ in their last bits: two different programs were run.
    Outcome.of("compare", "mlp", "--device", "cpu", "--rtol", 0, "--atol", 0).failedWith(ExitCode.COMPARISON_FAILED,
      "first at node=", "operator=Gemm");
  }

  @Test
  void aGpuThatIsNotThereIsNotCompared() {
    Path nowhere = folder.resolve("libcuda.so.1");
    Outcome.of("compare", "mlp", "--device", "cuda:0", "--cuda-driver", nowhere).failedWith(ExitCode.MACHINE_LACKS,
      "driver");
    assertThat(Outcome.of("compare", "mlp", "--device", "auto", "--cuda-driver", nowhere).out()).contains(
      "(no GPU: there is no NVIDIA driver)", "kernels: portable");
  }

  @Test
  void thePortableKernelsAreNotComparedWithThemselves() {
    Outcome.of("compare", "mlp", "--kernels", "portable").failedWith(ExitCode.USAGE, "--kernels=portable");
  }

  private static int layers(Path model, String... more) {
    Object[] words = new Object[4 + more.length];
    System.arraycopy(new Object[] {"compare", model, "--device", "cpu"}, 0, words, 0, 4);
    System.arraycopy(more, 0, words, 4, more.length);
    return Outcome.json(words).get("layers").asInt();
  }
}
