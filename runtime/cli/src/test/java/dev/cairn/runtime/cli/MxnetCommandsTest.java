package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a network that MXNet saved: one product with a weight of 2x3, and no bias. */
class MxnetCommandsTest {
  private static final String SYMBOL = """
    {"nodes":[{"op":"null","name":"data","inputs":[]},{"op":"null","name":"w","inputs":[]},{"op":"FullyConnected",
    "name":"fc","attrs":{"num_hidden":"2","no_bias":"True"},"inputs":[[0,0,0],[1,0,0]]}],"heads":[[2,0,0]]}""";

  @TempDir
  private Path folder = Path.of("");
  private Path model = Path.of("");

  @BeforeEach
  void write() throws IOException {
    model = Files.writeString(folder.resolve("net-symbol.json"), SYMBOL);
    ByteBuffer params = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN).putLong(0x112).putLong(0).putLong(1);
    params.putInt(0xF993FAC9).putInt(0).putInt(2).putLong(2).putLong(3).putInt(1).putInt(0).putInt(0);
    for (int i = 0; i < 6; i++) {
      params.putFloat(i);
    }
    params.putLong(1).putLong(5).put("arg:w".getBytes(StandardCharsets.UTF_8));
    Files.write(folder.resolve("net-0000.params"), Arrays.copyOf(params.array(), params.position()));
  }

  @Test
  void runInspectAndPlanTakeIt() {
    assertThat(Outcome.ok("run", model, "--shapes", "data:4x3")).contains("weights  24 B", "fc_output float32[4x2]");
    assertThat(Outcome.ok("inspect", model)).contains("data", "fc_output", "Gemm");
    assertThat(Outcome.ok("plan", model, "--shapes", "data:4x3")).contains("best-fit");
  }

  @Test
  void aShapeIsAskedForWhereEvenTheRankIsOpen() {
    Outcome.of("run", model).failedWith(ExitCode.USAGE, "types are open", "--shapes data:1x16");
  }
}
