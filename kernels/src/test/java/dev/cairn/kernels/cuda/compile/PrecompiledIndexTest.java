package dev.cairn.kernels.cuda.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.cuda.compile.PrecompiledIndex.Image;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrecompiledIndexTest {
  private static final String KEY = "0123456789abcdef".repeat(4);
  private static final PrecompiledIndex INDEX = new PrecompiledIndex("nvcc 13.0.88", List.of(new Image(KEY, 75,
    "gemm.cu"), new Image(KEY, 80, "gemm.cu"), new Image("f".repeat(64), 80, "tile.cu")));

  @Test
  void whatIsWrittenIsRead() {
    assertThat(PrecompiledIndex.parse(INDEX.text())).isEqualTo(INDEX);
    assertThat(PrecompiledIndex.parse("cairn-kernels-1 \n").images()).isEmpty();
  }

  @Test
  void theNewestCodeThatTheDeviceCanRunIsTaken() {
    assertThat(INDEX.find(KEY, "sm_75").orElseThrow().architecture()).isEqualTo(75);
    assertThat(INDEX.find(KEY, "sm_79").orElseThrow().architecture()).isEqualTo(75);
    assertThat(INDEX.find(KEY, "sm_120").orElseThrow().architecture()).isEqualTo(80);
    assertThat(INDEX.find(KEY, "sm_61")).isEmpty();
    assertThat(INDEX.find("e".repeat(64), "sm_90")).isEmpty();
    assertThat(INDEX.sourcesFor("sm_61")).isEmpty();
    assertThat(INDEX.sourcesFor("sm_75")).containsExactly("gemm.cu");
    assertThat(INDEX.sourcesFor("sm_90")).containsExactly("gemm.cu", "tile.cu");
  }

  @Test
  void otherTextsAreRefused() {
    for (String text : List.of("", "\n", "cairn-kernels-2 x\n", "cairn-kernels-1 x\n" + KEY + " 75",
      "cairn-kernels-1 x\n" + KEY + " 75 gemm.cu more", "cairn-kernels-1 x\n../../x 75 gemm.cu",
      "cairn-kernels-1 x\n" + KEY + " seventy gemm.cu", "cairn-kernels-1 x\n\n")) {
      assertThatThrownBy(() -> PrecompiledIndex.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void sourceHeadersAndOptionsEachMakeAnotherKey() {
    CudaProgram source = CudaProgram.of("a.cu", "text");
    List<String> keys = List.of(PrecompiledIndex.key(source, List.of()), PrecompiledIndex.key(source, List.of("-DA")),
      PrecompiledIndex.key(source.withHeaders(Map.of("b.cuh", "1")), List.of()), PrecompiledIndex.key(source
        .withHeaders(Map.of("b.cuh", "2")), List.of()),
      PrecompiledIndex.key(CudaProgram.of("a.cu", "other"), List
        .of()),
      PrecompiledIndex.key(CudaProgram.of("b.cu", "text"), List.of()));
    assertThat(keys).doesNotHaveDuplicates();
    assertThat(PrecompiledIndex.key(source, List.of())).isEqualTo(keys.getFirst());
  }
}
