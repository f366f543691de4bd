package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import dev.cairn.runtime.train.checkpoint.Checkpoint;
import dev.cairn.runtime.train.checkpoint.Checkpoints;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Loss;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizer;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.train.schedule.Schedule;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Resuming is exact to the bit: N iterations equal k, a file, another trainer, and N - k. */
class CheckpointTest {
  private static final int ROWS = 8;
  @TempDir
  Path folder;

  private static Trainer trainer(Optimizer optimizer, TrainerOptions options) {
    return Trainer.of(LinearTask.net(), Losses.l2(), optimizer, options);
  }

  static Stream<Optimizer> optimizers() {
    return Stream.of(Optimizers.sgd(0.9), Optimizers.adamW(), Optimizers.rmsProp(), Optimizers.adagrad(), Optimizers
      .lamb(), Optimizers.ftrl(), Optimizers.nag(0.9)).map(
        it -> it.rate(Schedule.cosine(0.05, 0.001, 12).warmedUp(3,
          0)));
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  void aResumedTrainingEqualsAnUnbrokenOne(Optimizer optimizer) throws IOException {
    TrainerOptions options = TrainerOptions.DEFAULT.withAccumulate(2).withClipGlobalNorm(0.1);
    Map<String, byte[]> wanted;
    double lastLoss;
    try (Trainer unbroken = trainer(optimizer, options)) {
      lastLoss = LinearTask.run(unbroken, 0, 12, ROWS);
      wanted = TrainerTest.bytes(unbroken);
    }
    Path file = folder.resolve("checkpoint.safetensors");
    try (Trainer first = trainer(optimizer, options)) {
      LinearTask.run(first, 0, 5, ROWS);
      first.checkpoint().with("epoch", "3").write(file);
    }
    TrainerOptions elsewhere = options.withSeed(99).withSession(SessionOptions.DEFAULT.withThreads(1));
    try (Trainer second = trainer(optimizer, elsewhere)) {
      Checkpoint read = Checkpoint.read(file);
      second.restore(read);
      assertThat(read.number("epoch")).isEqualTo(3);
      assertThat(second.iterations()).isEqualTo(5);
      assertThat(LinearTask.run(second, 5, 12, ROWS)).isEqualTo(lastLoss);
      TrainerTest.assertSameBytes(second, wanted);
    }
  }

  /** Random draws and running statistics, too. */
  @Test
  void dropoutAndRunningStatisticsContinue() throws IOException {
    Path file = folder.resolve("checkpoint.safetensors");
    Map<String, byte[]> wanted;
    try (Trainer unbroken = Trainer.of(randomNet(), Losses.l2(), Optimizers.sgd(0.9), TrainerOptions.DEFAULT)) {
      LinearTask.run(unbroken, 0, 1, ROWS);
      byte[] mean = TrainerTest.bytes(unbroken).get("1.running_mean");
      LinearTask.run(unbroken, 1, 3, ROWS);
      unbroken.checkpoint().write(file);
      LinearTask.run(unbroken, 3, 6, ROWS);
      wanted = TrainerTest.bytes(unbroken);
      assertThat(wanted.get("1.running_mean")).isNotEqualTo(mean);
    }
    try (Trainer resumed = Trainer.of(randomNet(), Losses.l2(), Optimizers.sgd(0.9), TrainerOptions.DEFAULT)) {
      resumed.restore(Checkpoint.read(file));
      LinearTask.run(resumed, 3, 6, ROWS);
      TrainerTest.assertSameBytes(resumed, wanted);
      resumed.restore(Checkpoint.read(file).with(Checkpoint.RANDOM, "0,0"));
      LinearTask.run(resumed, 3, 6, ROWS);
      assertThat(TrainerTest.bytes(resumed).get("0.weight")).isNotEqualTo(wanted.get("0.weight"));
    }
  }

  private static Layer randomNet() {
    return Sequential.of(Dense.of(16), BatchNorm.of(), Dropout.of(0.5), Dense.of(LinearTask.OUTPUTS));
  }

  @Test
  void aRunningTrainerGoesBackToACheckpoint() {
    try (Trainer trainer = trainer(Optimizers.adam(), TrainerOptions.DEFAULT)) {
      LinearTask.run(trainer, 0, 3, ROWS);
      Checkpoint checkpoint = trainer.checkpoint();
      LinearTask.run(trainer, 3, 6, ROWS);
      Map<String, byte[]> wanted = TrainerTest.bytes(trainer);
      trainer.restore(checkpoint);
      assertThat(trainer.iterations()).isEqualTo(3);
      LinearTask.run(trainer, 3, 6, ROWS);
      TrainerTest.assertSameBytes(trainer, wanted);
    }
  }

  @Test
  void otherSettingsAndOtherTensorsAreNamed() throws IOException {
    Path file = folder.resolve("checkpoint.safetensors");
    try (Trainer trainer = trainer(Optimizers.adam(), TrainerOptions.DEFAULT)) {
      LinearTask.run(trainer, 0, 1, ROWS);
      trainer.checkpoint().write(file);
    }
    Checkpoint read = Checkpoint.read(file);
    try (Trainer other = trainer(Optimizers.adam().weightDecay(0.5), TrainerOptions.DEFAULT)) {
      assertThatThrownBy(() -> other.restore(read)).hasMessageContaining("decay=0.0").hasMessageContaining("decay=0.5");
    }
    try (Trainer other = Trainer.of(Dense.of(3), Losses.l2(), Optimizers.adam(),
      TrainerOptions.DEFAULT)) {
      other.restore(read);
      assertThatThrownBy(() -> LinearTask.run(other, 1, 2, ROWS)).hasMessageContaining("missing: weight")
        .hasMessageContaining("left over: 0.weight");
    }
    assertThatThrownBy(() -> read.number("position")).hasMessageContaining("position").hasMessageContaining(
      "iteration");
  }

  /** A lambda has another text in each process. */
  @Test
  void aScheduleWithoutATextIsKnownByItsRates() {
    try (Trainer trainer = trainer(Optimizers.sgd().rate(number -> 0.1 / number), TrainerOptions.DEFAULT);
      Trainer same = trainer(Optimizers.sgd().rate(it -> 0.1 / it), TrainerOptions.DEFAULT);
      Trainer other = trainer(Optimizers.sgd().rate(it -> 0.2 / it), TrainerOptions.DEFAULT)) {
      LinearTask.run(trainer, 0, 1, ROWS);
      Checkpoint checkpoint = trainer.checkpoint();
      same.restore(checkpoint);
      assertThat(same.iterations()).isEqualTo(1);
      assertThatThrownBy(() -> other.restore(checkpoint)).hasMessageContaining("schedule").hasMessageContaining(
        "1: 0.2");
    }
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Path file = folder.resolve("weights.safetensors");
    new SafetensorsFile(Map.of(), Map.of()).write(file);
    assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("not a checkpoint").hasMessageContaining(
      "weights");
    Files.write(file, new byte[] {1, 2, 3});
    assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("fewer than 8 bytes");
  }

  @Test
  void theLatestCheckpointsStay() throws IOException {
    var checkpoints = new Checkpoints(folder.resolve("all"), 3);
    assertThat(checkpoints.latest()).isEmpty();
    try (Trainer trainer = trainer(Optimizers.sgd(), TrainerOptions.DEFAULT)) {
      for (int i = 0; i < 5; i++) {
        LinearTask.run(trainer, i, i + 1, ROWS);
        checkpoints.write(trainer.checkpoint());
      }
    }
    try (Stream<Path> files = Files.list(checkpoints.folder())) {
      assertThat(files.map(it -> it.getFileName().toString())).containsExactlyInAnyOrder(
        "iteration-000000003.safetensors", "iteration-000000004.safetensors", "iteration-000000005.safetensors");
    }
    assertThat(Checkpoint.read(checkpoints.latest().orElseThrow()).number(Checkpoint.ITERATION)).isEqualTo(5);
    assertThatThrownBy(() -> new Checkpoints(folder, 0)).hasMessageContaining("keep=0");
  }

  /** A training that is started over must not lose what it writes, nor resume from the one that was given up. */
  @Test
  void aCheckpointReplacesThoseOfLaterIterations() throws IOException {
    var checkpoints = new Checkpoints(folder.resolve("all"), 3);
    for (long iteration : new long[] {4998, 5000, 5001, 5002}) {
      checkpoints.write(empty(iteration));
    }
    Path file = checkpoints.write(empty(100));
    assertThat(file).exists();
    assertThat(checkpoints.latest()).contains(file);
    assertThat(numbers(checkpoints)).containsExactly(100);
    checkpoints.write(empty(101));
    checkpoints.write(empty(103));
    assertThat(checkpoints.write(empty(102))).exists();
    assertThat(numbers(checkpoints)).containsExactly(100, 101, 102);
    assertThat(checkpoints.write(empty(102))).as("written twice").exists();
    assertThat(numbers(checkpoints)).containsExactly(100, 101, 102);
  }

  /** From the thousandth million on, names have more digits, and their order is not that of their numbers. */
  @Test
  void checkpointsAreInTheOrderOfTheirNumbers() throws IOException {
    var checkpoints = new Checkpoints(folder.resolve("all"), 2);
    for (long iteration : new long[] {999_999_998, 999_999_999, 1_000_000_000}) {
      Path file = checkpoints.write(empty(iteration));
      assertThat(file).exists();
      assertThat(checkpoints.latest()).contains(file);
    }
    assertThat(numbers(checkpoints)).containsExactly(999_999_999, 1_000_000_000);
  }

  /** Names that Cairn never writes, and own names with other content, neither count nor go. */
  @Test
  void foreignFilesStay() throws IOException {
    var checkpoints = new Checkpoints(folder.resolve("all"), 2);
    checkpoints.write(empty(7));
    checkpoints.write(empty(8));
    Path all = checkpoints.folder();
    Path huge = Files.createFile(all.resolve("iteration-99999999999999999999.safetensors"));
    Path padded = Files.copy(all.resolve("iteration-000000007.safetensors"), all.resolve(
      "iteration-0000000003.safetensors"));
    Path small = Files.copy(padded, all.resolve("iteration-3.safetensors"));
    Path renamed = Files.copy(padded, all.resolve("iteration-000000001.safetensors"));
    Path noContent = Files.createFile(all.resolve("iteration-000000002.safetensors"));
    Path later = Files.createFile(all.resolve("iteration-000000099.safetensors"));
    Path directory = Files.createDirectory(all.resolve("iteration-000000098.safetensors"));
    Path link = Files.createSymbolicLink(all.resolve("iteration-000000097.safetensors"), padded);
    Path weights = all.resolve("iteration-000000096.safetensors");
    new SafetensorsFile(Map.of(), Map.of("iteration", "96")).write(weights);
    Path[] foreign = {huge, padded, small, renamed, noContent, later, directory, link, weights};
    assertThat(checkpoints.latest()).contains(all.resolve("iteration-000000008.safetensors"));
    Path file = checkpoints.write(empty(9));
    assertThat(checkpoints.latest()).contains(file);
    assertThat(all.resolve("iteration-000000007.safetensors")).doesNotExist();
    assertThat(all.resolve("iteration-000000008.safetensors")).exists();
    assertThat(foreign).allMatch(Files::exists);
    for (int taken : new int[] {2, 99, 98, 97, 96}) {
      assertThatThrownBy(() -> checkpoints.write(empty(taken))).isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("not a checkpoint of this iteration");
    }
    assertThat(foreign).allMatch(Files::exists);
    assertThat(file).exists();
    assertThatThrownBy(() -> checkpoints.write(empty(-1))).hasMessageContaining("iteration=-1");
  }

  @Test
  void theLastNumberOfALong() throws IOException {
    var checkpoints = new Checkpoints(folder.resolve("all"), 1);
    checkpoints.write(empty(1_000_000_000));
    Path last = checkpoints.write(empty(Long.MAX_VALUE));
    assertThat(checkpoints.latest()).contains(last);
    assertThat(numbers(checkpoints)).containsExactly(Long.MAX_VALUE);
  }

  /** Names, types and numbers of parameters are equal; only what lies between them differs. */
  @Test
  void theCheckpointOfAnotherGraphIsRefused() throws IOException {
    Checkpoint saved;
    try (Trainer trainer = activated(Activation.relu(), Losses.l2())) {
      LinearTask.run(trainer, 0, 2, ROWS);
      saved = trainer.checkpoint();
    }
    saved.write(folder.resolve("c.safetensors"));
    Checkpoint read = Checkpoint.read(folder.resolve("c.safetensors"));
    for (Trainer other : List.of(activated(Activation.tanh(), Losses.l2()), activated(Activation.relu(), Losses
      .l1()))) {
      try (other) {
        other.restore(read);
        assertThatThrownBy(() -> LinearTask.run(other, 2, 3, ROWS)).hasMessageContaining("of another network");
        assertThatThrownBy(() -> LinearTask.run(other, 2, 3, ROWS)).as("still").hasMessageContaining(
          "of another network");
        other.reset();
        LinearTask.run(other, 0, 1, ROWS);
        Map<String, byte[]> before = TrainerTest.bytes(other);
        assertThatThrownBy(() -> other.restore(read)).hasMessageContaining("of another network");
        assertThat(other.iterations()).isEqualTo(1);
        TrainerTest.assertSameBytes(other, before);
      }
    }
    try (Trainer same = activated(Activation.relu(), Losses.l2())) {
      same.restore(read);
      LinearTask.run(same, 2, 3, ROWS);
      LinearTask.run(same, 3, 4, ROWS / 2);
    }
  }

  private static Trainer activated(Layer activation, Loss loss) {
    return Trainer.of(Sequential.of(Dense.of(16), activation, Dense.of(LinearTask.OUTPUTS)), loss, Optimizers.sgd(),
      TrainerOptions.DEFAULT);
  }

  /** Whichever bit of a checkpoint flips, it is refused, or nothing that it holds has changed. */
  @Test
  void aFlippedBitIsFound() throws IOException {
    Path file = folder.resolve("checkpoint.safetensors");
    new Checkpoint(Map.of("w", TensorView.ofFloats(Shape.of(3), 1, 2, 3), "flag", TensorView.ofFloats(Shape.of(1), 4)),
      Map.of(Checkpoint.ITERATION, "12", Checkpoint.RANDOM, "3,4", "rate", "0.1")).write(file);
    byte[] whole = Files.readAllBytes(file);
    Checkpoint saved = Checkpoint.read(file);
    int refused = 0;
    for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      Path damaged = Files.write(folder.resolve("damaged"), flipped);
      try {
        assertThat(Checkpoint.read(damaged).metadata()).as("bit " + bit).isEqualTo(saved.metadata());
        assertThat(Checkpoint.read(damaged).tensors()).allSatisfy((name, tensor) -> assertThat(tensor.segment()
          .mismatch(Objects.requireNonNull(saved.tensors().get(name)).segment())).isEqualTo(-1));
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("damaged");
        refused++;
      }
    }
    // The others are spaces between the header and the first element.
    assertThat(refused).isGreaterThan(whole.length * Byte.SIZE * 9 / 10);
  }

  @Test
  void aCheckpointOfTheFirstFormatIsRead() throws IOException {
    Path file = folder.resolve("old.safetensors");
    new SafetensorsFile(Map.of("w", TensorView.ofFloats(Shape.of(1), 4)), Map.of("format", "cairn-checkpoint-1",
      Checkpoint.ITERATION, "5")).write(file);
    Checkpoint read = Checkpoint.read(file);
    assertThat(read.number(Checkpoint.ITERATION)).isEqualTo(5);
    assertThat(read.metadata()).containsOnlyKeys(Checkpoint.ITERATION);
    new SafetensorsFile(Map.of(), Map.of("format", "cairn-checkpoint-2")).write(file);
    assertThatThrownBy(() -> Checkpoint.read(file)).hasMessageContaining("damaged").hasMessageContaining(file
      .toString());
  }

  private static Checkpoint empty(long iteration) {
    return new Checkpoint(Map.of(), Map.of(Checkpoint.ITERATION, Long.toString(iteration)));
  }

  private static long[] numbers(Checkpoints checkpoints) throws IOException {
    try (Stream<Path> files = Files.list(checkpoints.folder())) {
      return files.mapToLong(it -> Long.parseLong(it.getFileName().toString().replaceAll("\\D", ""))).sorted()
        .toArray();
    }
  }
}
