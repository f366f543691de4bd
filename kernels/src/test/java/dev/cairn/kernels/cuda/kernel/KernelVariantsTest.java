package dev.cairn.kernels.cuda.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.kernels.tensor.DType;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelVariantsTest {
  private static KernelVariants variants(String source) {
    return KernelVariants.ALL.stream().filter(it -> it.source().equals(source)).findFirst().orElseThrow();
  }

  @Test
  void everySourceIsListed() throws IOException, URISyntaxException {
    Path folder = Path.of(CudaProgram.class.getResource("/dev/cairn/kernels/cuda/source/gemm.cu").toURI()).getParent();
    try (var files = Files.list(folder)) {
      assertThat(files.map(it -> String.valueOf(it.getFileName())).filter(it -> it.endsWith(".cu")))
        .containsExactlyInAnyOrderElementsOf(KernelVariants.ALL.stream().map(KernelVariants::source).toList());
    }
  }

  @Test
  void noWayToCompileASourceIsListedTwice() {
    for (KernelVariants variants : KernelVariants.ALL) {
      assertThat(variants.definitions()).as(variants.source()).isNotEmpty().doesNotHaveDuplicates();
    }
  }

  @Test
  void halvesAreCompiledForTensorCoresAsWell() {
    assertThat(variants("gemm.cu").architectures(CudaElementTypes.definitions(DType.FLOAT16))).containsExactly("sm_75",
      "sm_80");
    assertThat(variants("gemm.cu").architectures(CudaElementTypes.definitions(DType.FLOAT32))).containsExactly("sm_75");
    assertThat(variants("attention_tensor.cu").architectures(CudaElementTypes.definitions(DType.FLOAT16)))
      .containsExactly(
        "sm_80");
    assertThat(variants("pool.cu").architectures(CudaElementTypes.definitions(DType.FLOAT16))).containsExactly("sm_75");
  }

  @Test
  void aSourceHasTheHeadersThatItReachesAndNoOther() {
    assertThat(KernelLibrary.source("gemm.cu").headers().keySet()).contains("cairn.cuh", "tile.cuh", "fragment.cuh")
      .doesNotContain("join.cuh");
    assertThat(KernelLibrary.source("movement.cu").headers().keySet()).containsExactly("cairn.cuh");
    assertThatThrownBy(() -> KernelLibrary.source("nothing.cu")).isInstanceOf(IllegalArgumentException.class);
  }
}
