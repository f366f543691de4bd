package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.budget.Budgets;
import dev.cairn.runtime.budget.MemoryBudget;
import dev.cairn.runtime.session.MemoryOptions;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.checkpoint.Checkpoints;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.testing.FaultInTurn;
import dev.cairn.testing.FaultyFiles;
import dev.cairn.testing.OwnThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each request of a trainer for memory, and each call of a file of its checkpoints, fails once. The next attempt, after
 * {@code restore} where that is asked for, has the bits of an unbroken training, and everything is given back.
 */
class TrainerFaultsTest {
  private static final int ROWS = 4;

  @TempDir
  private @Nullable Path folder;

  private static Trainer trainer(MemoryBudget budget) {
    return Trainer.of(LinearTask.net(), Losses.l2(), Optimizers.adam().rate(0.01), TrainerOptions.DEFAULT.withSession(
      SessionOptions.DEFAULT.withThreads(1).withMemory(MemoryOptions.DEFAULT.withBudget(budget))));
  }

  /** The values after five iterations. */
  private static Checkpoint unbroken() {
    try (Trainer trainer = trainer(MemoryBudget.unlimited())) {
      LinearTask.run(trainer, 0, 5, ROWS);
      return trainer.checkpoint();
    }
  }

  private static void assertSameBits(Checkpoint found, Checkpoint expected) {
    Map<String, TensorView> wanted = expected.tensors();
    assertThat(found.tensors()).hasSameSizeAs(wanted);
    found.tensors().forEach((name, value) -> assertThat(value.segment().mismatch(Objects.requireNonNull(wanted.get(
      name)).segment())).as(name).isEqualTo(-1));
    assertThat(found.metadata()).isEqualTo(expected.metadata());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachRequestForMemoryFailsOnce(boolean throwing) {
    Checkpoint expected = unbroken();
    int faults = FaultInTurn.sweep(fault -> train(Budgets.faulty(fault, throwing), fault, expected));
    assertThat(faults).isGreaterThan(2);
  }

  private static void train(MemoryBudget budget, FaultInTurn fault, Checkpoint expected) {
    OwnThreads threads = OwnThreads.before();
    try (Trainer trainer = trainer(budget)) {
      fault.survived(() -> trainer.plan(LinearTask.dataType(ROWS), LinearTask.labelsType(ROWS)));
      Checkpoint before = fault.survived(trainer::checkpoint);
      for (int i = 0; i < 5; i++) {
        iterate(trainer, before, i);
        // Another batch has a plan of its own, which other requests are for.
        fault.survived(() -> trainer.plan(LinearTask.dataType(2 * ROWS), LinearTask.labelsType(2 * ROWS)));
        before = trainer.checkpoint();
      }
      assertSameBits(before, expected);
    }
    threads.awaitEndOfLaterOnes();
    assertThat(budget.bytesInUse()).isZero();
  }

  /** As a program does it: after a failure it restores the latest checkpoint. */
  private static void iterate(Trainer trainer, Checkpoint before, int number) {
    try {
      LinearTask.run(trainer, number, number + 1, ROWS);
    } catch (RuntimeException e) {
      trainer.restore(before);
      LinearTask.run(trainer, number, number + 1, ROWS);
    }
  }

  @Test
  void eachCallOfACheckpointsFileFailsOnce() {
    List<Checkpoint> all = new ArrayList<>();
    try (Trainer trainer = trainer(MemoryBudget.unlimited())) {
      for (int i = 0; i < 3; i++) {
        LinearTask.run(trainer, i, i + 1, ROWS);
        all.add(trainer.checkpoint());
      }
    }
    Path real = Objects.requireNonNull(folder);
    int faults = FaultInTurn.sweep(fault -> save(real, fault, all));
    assertThat(faults).isGreaterThan(20);
  }

  private static void save(Path real, FaultInTurn fault, List<Checkpoint> all) {
    FaultyFiles files = FaultyFiles.of(fault);
    var checkpoints = new Checkpoints(files.path(real), 2);
    for (Checkpoint checkpoint : all) {
      fault.survived(() -> written(checkpoints, checkpoint));
      assertThat(left(real)).as("part files").noneMatch(it -> it.endsWith(".part"));
    }
    fault.survived(() -> assertSameBits(latest(checkpoints), all.getLast()));
    assertThat(files.openChannels()).isZero();
    left(real).forEach(it -> removed(real.resolve(it)));
  }

  private static void written(Checkpoints checkpoints, Checkpoint checkpoint) {
    try {
      assertThat(checkpoints.write(checkpoint)).isNotNull();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Checkpoint latest(Checkpoints checkpoints) {
    try {
      Optional<Path> latest = checkpoints.latest();
      return Checkpoint.read(latest.orElseThrow());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> left(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(it -> it.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void removed(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
