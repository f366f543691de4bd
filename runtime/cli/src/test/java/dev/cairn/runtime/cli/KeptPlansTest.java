package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Without a limit, or within one that the plan keeps to, recomputation changes nothing: plans equal those in this
 * test's resources to the byte. Who changes planning on purpose writes them anew, with {@code cairn plan --export}.
 */
class KeptPlansTest {
  @TempDir
  private Path folder = Path.of("");

  private String plan(String words, String... more) throws IOException {
    Path file = folder.resolve("plan.csv");
    Outcome
      .ok(Stream
        .of(Arrays.stream(("plan " + words + " --kernels portable --threads 1 --budget 1ms --export").split(" ", -1)),
          Stream
            .of(file.toString()),
          Stream.of(more))
        .flatMap(it -> it).toArray());
    return numberless(Files.readString(file));
  }

  /** Layers count through the process. */
  private static String numberless(String plan) {
    return plan.replaceAll("(?<=[a-zA-Z])\\d+(?=[/.])", "");
  }

  @ParameterizedTest
  @CsvSource({"mlp, mlp", "lenet, lenet", "mobilenet, mobilenet_v2", "mlp-sgd, mlp --train sgd --shapes input:32x784",
    "lenet-adamw, lenet --train adamw"})
  void plansWithoutALimitAreAsTheyWere(String kept, String words) throws IOException {
    String before;
    try (InputStream in = getClass().getResourceAsStream("plans/" + kept + ".csv")) {
      before = numberless(new String(Objects.requireNonNull(in, kept).readAllBytes(), StandardCharsets.UTF_8));
    }
    assertThat(plan(words)).isEqualTo(before);
    assertThat(plan(words, "--memory-limit", "100%")).as("within a limit that is kept").isEqualTo(before);
    assertThat(plan(words, "--recompute", "off")).isEqualTo(before);
  }
}
