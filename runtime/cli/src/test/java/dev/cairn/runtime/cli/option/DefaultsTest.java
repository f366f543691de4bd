package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.session.SessionOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Without options the command line does what the library does by default, and the documents say so. */
class DefaultsTest {
  private static DeviceOptions device(String... words) {
    DeviceOptions device = parsed(new DeviceOption(), words).options(Map.of());
    // Where CUDA is looked for is the environment's in both.
    return new DeviceOptions(device.kind(), device.ordinal(), device.required(), device.replay(), device.math(), device
      .convolutions(), device.kernels(), Optional.empty());
  }

  /** An option after {@code Main} has parsed these words. */
  private static <T> T parsed(T option, String... words) {
    new CommandLine(option).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words);
    return option;
  }

  @Test
  void theCommandLineHasTheLibrarysDefaults() {
    SessionOptions options = parsed(new SessionOption()).sessionOptions(Map.of());
    assertThat(options.withDevice(device())).isEqualTo(SessionOptions.DEFAULT);
    assertThat(parsed(new ReplayOption()).on(device())).isEqualTo(SessionOptions.DEFAULT.device());
  }

  @Test
  void aGpuIsLookedForWhereOneIsRequired() {
    assertThat(device("--require-gpu")).isEqualTo(DeviceOptions.AUTO.withRequired(true));
    assertThat(device("--device", "cuda:1").required()).isTrue();
    assertThat(device("--device", "auto")).isEqualTo(DeviceOptions.AUTO);
  }

  @Test
  void theDocumentsSayTheSame() throws IOException {
    String gpu = Files.readString(Path.of(System.getProperty("cairn.root", "../.."), "docs/gpu.md"));
    assertThat(gpu).contains("| `cpu` | the processor: the default of a session and of the command line");
    assertThat(new CommandLine(new DeviceOption()).getUsageMessage()).contains("Default: cpu");
  }
}
