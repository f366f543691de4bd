package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.cpu.vector.VectorModule;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that trains is killed by SIGKILL. Each time the checkpoint is whole, and in the end it has the bytes of an
 * undisturbed training. WholeFileTest kills a process while it writes a file.
 */
@Tag("long")
@EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: needs SIGKILL")
class KilledTrainingTest {
  private static final String SMALL = "16,32,4";
  /** Parameters and two states of each take 2.6 MB, so that random kills hit the writing of them. */
  private static final String LARGE = "16,8000,10,4";
  private static final int EPOCHS = 6;
  private static final int KILLED = 128 + 9;

  @TempDir
  private Path home;

  private Path data;

  @BeforeEach
  void writeData() throws IOException {
    data = home.resolve("rows.csv");
    var random = new Random(7);
    var rows = new StringBuilder();
    for (int row = 0; row < 100; row++) {
      int label = random.nextInt(4);
      for (int column = 0; column < 16; column++) {
        rows.append(random.nextInt(8) + (column % 4 == label ? 8 : 0)).append(',');
      }
      rows.append(label).append('\n');
    }
    Files.writeString(data, rows);
  }

  /** Trains into a folder, onward from the checkpoint there if there is one. */
  private List<String> words(String widths, int epochs, Path folder, long seed) throws IOException {
    Files.createDirectories(folder);
    String file = checkpoint(folder).toString();
    List<String> words = new ArrayList<>(List.of("train", "mlp", "--widths", widths, "--data", data.toString(),
      "--epochs", Integer.toString(epochs), "--seed", Long.toString(seed), "--optimizer", "adamw", "--threads", "1",
      "--checkpoint", file));
    if (Files.exists(checkpoint(folder))) {
      words.addAll(List.of("--resume", file));
    }
    return words;
  }

  private static Path checkpoint(Path folder) {
    return folder.resolve("net.safetensors");
  }

  /** The epochs that the checkpoint has, all of whose bytes are read. */
  private static long epochs(Path folder) throws IOException {
    if (!Files.exists(checkpoint(folder))) {
      return 0;
    }
    Checkpoint read = Checkpoint.read(checkpoint(folder));
    assertThat(read.tensors()).isNotEmpty();
    return read.number("epoch");
  }

  /** Runs a command until it has printed the line of an epoch; then says so, and stays at this place. */
  static final class Stopping {
    private Stopping() {}

    /** The epoch, then the command. */
    public static void main(String[] arguments) {
      boolean _ = VectorModule.load();
      String line = "\n" + arguments[0] + " ";
      var out = new StringWriter() {
        @Override
        public void flush() {
          if (toString().contains(line)) {
            System.out.println("there");
            stay();
          }
        }
      };
      List<String> words = List.of(arguments).subList(1, arguments.length);
      int code = Main.execute(words.toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(System.out,
        true), new RuntimeOptions(false, Map.of()));
      System.out.println("ended with code " + code + "\n" + out);
    }

    private static void stay() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The second epoch's line is printed before its checkpoint is written; the first epoch's checkpoint is there. */
  @Test
  void aKilledTrainingContinuesToTheBytesOfAnUndisturbedOne() throws Exception {
    Path whole = home.resolve("whole");
    Path killed = home.resolve("killed");
    Outcome.ok(words(SMALL, 3, whole, 1).toArray());
    List<String> words = words(SMALL, 3, killed, 1);
    words.addFirst("2");
    Process process = JavaProcess.of(JavaProcess.classPath(), Stopping.class, words.toArray())
      .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("there");
      process.destroyForcibly();
      assertThat(process.waitFor()).isEqualTo(KILLED);
    }
    assertThat(epochs(killed)).isEqualTo(1);
    // The files of a process that is killed while it writes the next checkpoint.
    WholeFile unfinished = WholeFile.begin(checkpoint(killed));
    unfinished.stream().write(Files.readAllBytes(checkpoint(killed)), 0, 1000);
    unfinished.stream().flush();
    assertThat(unfinished(killed)).isEqualTo(1);
    Outcome.ok(words(SMALL, 3, killed, 1).toArray());
    assertThat(Files.mismatch(checkpoint(killed), checkpoint(whole))).isEqualTo(-1);
    unfinished.close();
  }

  private Process start(Path folder, long seed) throws IOException {
    return JavaProcess.of(JavaProcess.classPath(), Main.class, words(LARGE, EPOCHS, folder, seed).toArray())
      .redirectErrorStream(true).redirectOutput(folder.resolve("said.txt").toFile()).start();
  }

  private void finish(Path folder, long seed) throws IOException, InterruptedException {
    assertThat(start(folder, seed).waitFor()).as(Files.readString(folder.resolve("said.txt"))).isZero();
  }

  /** @return whether it was killed, rather than at its end already */
  private static boolean kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    int code = process.waitFor();
    assertThat(code).isIn(0, KILLED);
    return code == KILLED;
  }

  /** Files that were being written when their process was killed. */
  private static long unfinished(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> it.toString().endsWith(".part")).count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(Process process, BooleanSupplier moment) {
    while (process.isAlive() && !moment.getAsBoolean()) {
      LockSupport.parkNanos(100_000);
    }
  }

  /** Kills after so many milliseconds. @return whether the process lived until then */
  private boolean killedAt(long millis, Path folder, long seed) throws IOException, InterruptedException {
    Process process = start(folder, seed);
    boolean ended = process.waitFor(millis, TimeUnit.MILLISECONDS);
    return kill(process) && !ended;
  }

  /** Kills as soon as a new checkpoint begins, or some time later. @return whether it was not complete */
  private boolean killedInCheckpoint(long nanos, Path folder, long seed) throws IOException, InterruptedException {
    long before = unfinished(folder);
    Process process = start(folder, seed);
    await(process, () -> unfinished(folder) > before);
    long begun = System.nanoTime();
    await(process, () -> System.nanoTime() - begun >= nanos);
    return kill(process) && unfinished(folder) > before;
  }

  /** Random kills come first: they leave few epochs behind. Those in checkpoints advance by an epoch each at most. */
  private void requireBytesOfUndisturbed(int kills, long seed) throws Exception {
    var random = new Random(seed);
    Path whole = home.resolve("whole" + seed);
    Path killed = home.resolve("killed" + seed);
    long started = System.nanoTime();
    finish(whole, seed);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    int inCheckpoints = 0;
    int atRandom = 0;
    long epochs = 0;
    for (int i = 0; i < 4 * kills + 4 && (inCheckpoints < kills || atRandom == 0); i++) {
      boolean isRandom = atRandom < kills && i % 2 == 0;
      if (isRandom) {
        atRandom += killedAt(random.nextLong(millis * 2 / 3), killed, seed) ? 1 : 0;
      } else {
        // A fast disk is done soon: until one kill hits, they come at once.
        long nanos = inCheckpoints == 0 ? 0 : random.nextLong(3_000_000);
        inCheckpoints += killedInCheckpoint(nanos, killed, seed) ? 1 : 0;
      }
      long now = epochs(killed);
      assertThat(now).isBetween(epochs, (long) EPOCHS);
      epochs = now;
    }
    finish(killed, seed);
    String told = "seed %d: %d kills at random, %d in checkpoints".formatted(seed, atRandom, inCheckpoints);
    assertThat(inCheckpoints).as(told).isPositive();
    assertThat(atRandom).as(told).isPositive();
    assertThat(Files.mismatch(checkpoint(killed), checkpoint(whole))).as(told).isEqualTo(-1);
  }

  /** At random moments, and while a checkpoint is written. Run with -Dcairn.soak.minutes=60 for the hour. */
  @Test
  @Tag("soak")
  void killedTrainingsForLong() throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("cairn.soak.minutes", 1));
    for (long seed = 100; System.nanoTime() < end; seed++) {
      requireBytesOfUndisturbed(4, seed);
    }
  }
}
