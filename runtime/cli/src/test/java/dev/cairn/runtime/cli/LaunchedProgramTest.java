package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The real program behind the launcher, on this JVM, from the class path of this test. */
@Tag("long")
@EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: the launcher is for Linux")
class LaunchedProgramTest {
  private static final String RUN = "./cairn run mlp --iterations 1 --warmup 0 --format json";
  /** Loads the native library, too. */
  private static final String VERSION = "./cairn version --format json";

  @TempDir
  private static Path home;

  private static Path archive;
  private static byte[] whole;

  /** Installs the program once for all tests; its first run makes the archive. */
  @BeforeAll
  static void install() throws Exception {
    archive = InstalledLauncher.into(home);
    Files.delete(archive);
    assertIsOneResult(shell(RUN));
    whole = Files.readAllBytes(archive);
    assertThat(whole.length).isGreaterThan(1 << 20);
  }

  @AfterEach
  void repairArchive() throws IOException {
    Files.write(archive, whole);
  }

  /** What a shell in the launcher's folder makes of a script; both of its streams are pipes. */
  private static Outcome shell(String script) throws IOException, InterruptedException {
    Path out = home.resolve("out.txt");
    var builder = new ProcessBuilder("bash", "-c", script).directory(home.toFile()).redirectOutput(out.toFile());
    builder.environment().put("CAIRN_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), Files.readString(out), err);
  }

  private static void assertIsOneResult(Outcome run) {
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    Outcome.parse(run.out());
    assertThat(run.out()).as("the launcher's JVM has the vector module").contains("vector ");
  }

  @Test
  void nothingButResultsIsSaid() throws Exception {
    assertThat(shell("./cairn --help")).isEqualTo(new Outcome(0, Verb.list(80), ""));
    // An empty archive: an attempt to make one that failed.
    Files.write(archive, new byte[0]);
    assertThat(classesFromTheArchive(VERSION)).isFalse();
  }

  @Test
  void classesComeFromTheArchiveOfATrainingRun() throws Exception {
    assertThat(classesFromTheArchive(RUN)).isTrue();
    assertThat(classesFromTheArchive(VERSION)).isTrue();
    byte[] other = whole.clone();
    Arrays.fill(other, whole.length / 3, whole.length / 2, (byte) 0x5A);
    for (byte[] damaged : List.of(other, Arrays.copyOf(whole, whole.length / 2), new byte[] {'x'})) {
      Files.write(archive, damaged);
      assertThat(classesFromTheArchive(VERSION)).as("a damaged archive of %s bytes", damaged.length).isFalse();
    }
  }

  /** Whether the program's own classes are in the archive that it starts with; its result must be all that it says. */
  private static boolean classesFromTheArchive(String command) throws Exception {
    assertIsOneResult(shell("CAIRN_JVM_OPTIONS=-Xlog:class+load:file=classes.txt " + command));
    List<Boolean> shared = Files.readAllLines(home.resolve("classes.txt")).stream().filter(line -> line.contains(
      " dev.cairn.runtime.cli.CairnCommand ") || line.contains(" picocli.CommandLine ")).map(line -> line.contains(
        "shared objects file"))
      .toList();
    assertThat(shared).hasSize(2);
    assertThat(shared.getFirst()).as("picocli's classes, too").isEqualTo(shared.getLast());
    return shared.getFirst();
  }

  @Test
  void errorsStandInAFileBetweenWhatOthersWrite() throws Exception {
    Outcome outcome = shell("{ echo start; ./cairn run nosuch; echo code $?; echo end; } >log 2>&1");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    List<String> lines = Files.readAllLines(home.resolve("log"));
    assertThat(lines).hasSize(6).startsWith("start", "cairn: the model cannot be read").endsWith("code 3",
      "end");
    assertThat(lines.get(3)).contains("cairn zoo");
    shell("./cairn run nosuch 2>>log");
    assertThat(Files.readAllLines(home.resolve("log"))).hasSize(9)
      .startsWith("start", "cairn: the model cannot be read");
  }

  /** As {@code head} does, which needs no more: that is no failure to speak of. A full disk is. */
  @Test
  void aReaderThatEndsEarlyIsNoError() throws Exception {
    Outcome ended = shell("set -o pipefail; ./cairn ops | true");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isEqualTo(ExitCode.OTHER.number());
    Outcome full = shell("./cairn ops >/dev/full");
    assertThat(full.err()).startsWith("cairn: the results could not be written");
    assertThat(full.code()).isEqualTo(ExitCode.OTHER.number());
  }

  @Test
  void theProgressBarErasesNothingButItself() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "skipped: no script(1)");
    List<String> result = screen("bench mlp --iterations 2 --warmup 1 --duration 0.3");
    assertThat(result.getLast()).as(String.join("\n", result)).startsWith("memory ");
    assertThat(result).noneMatch(line -> line.contains("timing") || line.contains("warming up"));
    List<String> failure = screen("run nosuch");
    assertThat(failure.getLast()).as(String.join("\n", failure)).contains("cairn zoo");
  }

  /** The lines that are on a terminal in the end. */
  private static List<String> screen(String words) throws IOException, InterruptedException {
    Outcome outcome = shell("script -qec './cairn " + words + "' /dev/null </dev/null 2>&1");
    return Screen.lines(outcome.out());
  }

  @Test
  void aModelIsWrittenWithThePermissionsThatTheUmaskLeaves() throws Exception {
    Outcome outcome = shell("umask 077; ./cairn zoo mlp -o private.onnx; umask 027; ./cairn zoo mlp -o group.onnx");
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("private.onnx")))).isEqualTo(
      "rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("group.onnx")))).isEqualTo(
      "rw-r-----");
  }
}
