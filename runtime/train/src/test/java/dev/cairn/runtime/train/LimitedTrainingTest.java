package dev.cairn.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.initializer.Initializers;
import dev.cairn.runtime.train.layer.Activation;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Sequential;
import dev.cairn.runtime.train.loss.Losses;
import dev.cairn.runtime.train.optimizer.Optimizers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Training within a limit: steps run again, and losses, parameters, random masks and running statistics stay equal to
 * the bit, by every mode, with every family of kernels, fused or not.
 */
class LimitedTrainingTest {
  private static final int ROWS = 1024;
  private static final int ITERATIONS = 2;
  /** Enough to find words that fit, not the cheapest. */
  private static final long WORK = 5_000_000;

  /** What there is without a limit, by what it depends on. */
  private static final Map<String, Trained> ONCE = new HashMap<>();

  /** What some iterations leave, and how they were compiled. */
  private record Trained(List<Double> losses, Map<String, byte[]> values, CompiledGraph compiled) {}

  private static Sequential net(int blocks) {
    Sequential net = Sequential.of();
    for (int block = 0; block < blocks; block++) {
      net.add(Dense.of(32));
      if (block == 0) {
        net.add(BatchNorm.of());
      }
      net.add(Activation.relu()).add(Dropout.of(0.25));
    }
    net.add(Dense.of(LinearTask.OUTPUTS));
    net.initialize(Initializers.uniform(0.3), 1, PartialType.of(LinearTask.dataType(ROWS)));
    return net;
  }

  private static SessionOptions options(Wanted kernels, FusionChoice fusion, RecomputeMode mode) {
    CompileOptions compile = CompileOptions.DEFAULT.withFusion(fusion);
    return SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU.withKernels(kernels)).withCompile(compile
      .withRecompute(compile.recompute().withMode(mode).withWork(WORK)));
  }

  private static Trained trained(int blocks, SessionOptions options) {
    List<Double> losses = new ArrayList<>();
    try (Trainer trainer = Trainer.of(net(blocks), Losses.l2(), Optimizers.adam(), TrainerOptions.DEFAULT.withSession(
      options))) {
      for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        losses.add(LinearTask.run(trainer, iteration, iteration + 1, ROWS));
      }
      return new Trained(losses, TrainerTest.bytes(trainer), trainer.plan().compiled());
    }
  }

  /** @return the parts of the plan, in percent, in which the mode kept an iteration */
  private static List<Integer> kept(int blocks, Wanted kernels, FusionChoice fusion, RecomputeMode mode,
    List<Integer> percents) {
    Trained once = ONCE.computeIfAbsent("%d %s %s".formatted(blocks, kernels, fusion), _ -> trained(blocks, options(
      kernels, fusion, RecomputeMode.OFF)));
    assertThat(once.compiled.recomputed()).as("no limit, no recomputation").isEmpty();
    assertThat(once.values.keySet()).contains("1.running_mean", "1.running_var");
    MemoryNeed need = MemoryNeed.of(once.compiled, true);
    List<Integer> kept = new ArrayList<>();
    for (int percent : percents) {
      long limit = need.besidePlanBytes() + need.planBytes() * percent / 100;
      Trained again;
      try {
        again = trained(blocks, options(kernels, fusion, mode).withMemoryLimitBytes(limit));
      } catch (OutOfMemory e) {
        continue;
      }
      Recomputed done = again.compiled.recomputed().orElseThrow();
      assertThat(done.fits()).isTrue();
      assertThat(MemoryNeed.of(again.compiled, true).totalBytes()).isLessThanOrEqualTo(limit);
      assertThat(again.losses).isEqualTo(once.losses);
      assertThat(again.values.keySet()).isEqualTo(once.values.keySet());
      again.values.forEach((name, value) -> assertThat(value).as("%s %s at %d %%", mode, name, percent).isEqualTo(
        once.values.get(name)));
      kept.add(percent);
    }
    return kept;
  }

  /** @return the modes that kept one of the limits at least */
  private static List<RecomputeMode> keepers(int blocks, Wanted kernels, FusionChoice fusion, List<RecomputeMode> modes,
    List<Integer> percents) {
    return modes.stream().filter(mode -> !kept(blocks, kernels, fusion, mode, percents).isEmpty()).toList();
  }

  /** @return these modes and those that choose as other systems do */
  private static List<RecomputeMode> modes(RecomputeMode... own) {
    return Stream.concat(Arrays.stream(own), RecomputeMode.upstream().stream()).toList();
  }

  /** Other systems recompute in an iteration, too, though it ends by assigning the parameters that its steps read. */
  @ParameterizedTest
  @EnumSource(value = RecomputeMode.class, names = {"CHEN", "REVOLVE"})
  void checkpointsKeepAnIterationWithinALimit(RecomputeMode mode) {
    assertThat(kept(6, Wanted.PORTABLE, FusionChoice.OFF, mode, List.of(95, 90))).isNotEmpty();
  }

  /** Vector products need memory of their own for each thread, which no recomputation spares. */
  @ParameterizedTest
  @CsvSource({"PORTABLE, 85", "VECTOR, 95", "ONEDNN, 85"})
  void aLimitThatTheUsualModeKeepsKeepsEveryBit(Wanted kernels, int percent) {
    assertThat(kept(3, kernels, FusionChoice.OFF, RecomputeMode.AUTO, List.of(percent))).containsExactly(percent);
  }

  /** By other systems' choices, too, where these keep the limit. */
  @ParameterizedTest
  @CsvSource({"PORTABLE, 85", "VECTOR, 95", "ONEDNN, 85"})
  @Tag("long")
  void limitsThatAreKeptKeepEveryBit(Wanted kernels, int percent) {
    List<RecomputeMode> modes = modes(RecomputeMode.AUTO);
    assertThat(keepers(3, kernels, FusionChoice.OFF, modes, List.of(percent))).contains(RecomputeMode.AUTO);
  }

  @ParameterizedTest
  @EnumSource(value = Wanted.class, names = {"PORTABLE", "VECTOR", "ONEDNN"})
  @Tag("soak")
  void manyLimitsThatAreKeptKeepEveryBit(Wanted kernels) {
    List<RecomputeMode> modes = modes(RecomputeMode.AUTO, RecomputeMode.SEARCH);
    List<Integer> percents = List.of(95, 90, 85, 80, 75, 70, 65, 60, 55, 50, 45, 40);
    for (FusionChoice fusion : FusionChoice.values()) {
      assertThat(keepers(10, kernels, fusion, modes, percents)).contains(RecomputeMode.AUTO, RecomputeMode.SEARCH);
    }
  }
}
