package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.train.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that trains is killed by SIGKILL at random moments, and while it writes a checkpoint. Each time the
 * checkpoint is whole, and in the end it has the bytes of an undisturbed training.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: the launcher is for Linux")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class KilledTrainingTest {
  /** Parameters and two states of each take 2.6 MB, so that kills hit the writing of them. */
  private static final String WIDTHS = "16,8000,10,4";
  private static final int EPOCHS = 6;
  private static final int KILLED = 128 + 9;

  @TempDir
  private Path home;

  private Path data;

  @BeforeEach
  void install() throws IOException {
    InstalledLauncher.into(home);
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
  private Process start(Path folder, long seed) throws IOException {
    Files.createDirectories(folder);
    String file = checkpoint(folder).toString();
    List<String> words = new ArrayList<>(List.of("./cairn", "train", "mlp", "--widths", WIDTHS, "--data", data
      .toString(), "--epochs", Integer.toString(EPOCHS), "--seed", Long.toString(seed), "--optimizer", "adamw",
      "--threads", "1", "--checkpoint", file));
    if (Files.exists(checkpoint(folder))) {
      words.addAll(List.of("--resume", file));
    }
    var builder = new ProcessBuilder(words).directory(home.toFile()).redirectErrorStream(true).redirectOutput(folder
      .resolve("said.txt").toFile());
    builder.environment().put("CAIRN_JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  private static Path checkpoint(Path folder) {
    return folder.resolve("net.safetensors");
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

  /** The epochs that the checkpoint has, all of whose bytes are read. */
  private static long epochs(Path folder) throws IOException {
    if (!Files.exists(checkpoint(folder))) {
      return 0;
    }
    Checkpoint read = Checkpoint.read(checkpoint(folder));
    assertThat(read.tensors()).hasSize(6 * 3);
    return read.number("epoch");
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

  @Test
  @Timeout(600)
  void aKilledTrainingContinuesToTheBytesOfAnUndisturbedOne() throws Exception {
    requireBytesOfUndisturbed(1, 1);
  }

  /** Run with -Dcairn.soak.minutes=60 for the hour. */
  @Test
  @Tag("soak")
  void killedTrainingsForLong() throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("cairn.soak.minutes", 1));
    for (long seed = 100; System.nanoTime() < end; seed++) {
      requireBytesOfUndisturbed(4, seed);
    }
  }
}
