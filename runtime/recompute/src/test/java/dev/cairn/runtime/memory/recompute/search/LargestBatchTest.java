package dev.cairn.runtime.memory.recompute.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.LayerRule;
import dev.cairn.runtime.memory.recompute.LayerRule.ForwardLayer;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.chen.ChenWords;
import dev.cairn.runtime.memory.recompute.cut.RecomputeBound;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The largest batch of VGG-19 on 224 pixels in 16 GB, with costs in operations: Checkmate prints 289. */
class LargestBatchTest {
  private static final long PARAMETERS = 143_667_240;
  private static final long CAPACITY = 16_000_000_000L - 2 * 4 * PARAMETERS;

  private final List<ForwardLayer> layers = new ArrayList<>();

  @Test
  void trainsABatchOf289AtOnePercentAndProvesThatItIsTheLargest() {
    RecomputeProblem vgg = vgg19(289);
    assertThat(vgg.nodes()).isEqualTo(51);
    assertThat(vgg.floor().bytes()).isEqualTo(289 * 51_380_224L);
    RecomputeAnswer answer = RecomputePlanner.plan(vgg, CAPACITY);
    assertThat(answer.fits()).isTrue();
    assertThat(answer.overhead()).isBetween(answer.overheadBound(), 0.01);
    assertThat(RecomputeBound.of(vgg19(290), CAPACITY)).isEqualTo(Long.MAX_VALUE);
  }

  /**
   * With room for weights, gradients and two states. Checkmate prints 164, 196 and 260: it holds a segment's values
   * until the segment's last gradient, words let go of them at their last read.
   */
  @Test
  void checkpointsReachAtLeastTheBatchesThatCheckmatePrints() {
    assertThat(largest(vgg -> List.of(vgg.givenOrder()))).isEqualTo(204);
    assertThat(largest(vgg -> ChenWords.sqrt(vgg, 25).stream().toList())).isEqualTo(244);
    assertThat(largest(vgg -> ChenWords.greedy(vgg, 25))).isEqualTo(260);
  }

  /** The largest batch of 4, 12, 20, … that some word trains in the room, at the cost of one more forward run. */
  private long largest(Function<RecomputeProblem, List<Word>> words) {
    long room = 16_000_000_000L - 4 * 4 * PARAMETERS;
    long largest = 0;
    for (long batch = 4; batch < 400; batch += 8) {
      RecomputeProblem vgg = vgg19(batch);
      long forward = IntStream.range(0, 25).mapToLong(vgg::cost).sum();
      boolean fits = words.apply(vgg).stream().anyMatch(word -> WordJudge.peak(vgg, word) <= room && WordJudge.cost(vgg,
        word) <= vgg.costOnce() + forward);
      largest = fits ? batch : largest;
    }
    return largest;
  }

  private RecomputeProblem vgg19(long batch) {
    layers.clear();
    long side = 224;
    long channels = 3;
    int[] widths = {64, 128, 256, 512, 512};
    int[] counts = {2, 2, 4, 4, 4};
    for (int block = 0; block < widths.length; block++) {
      for (int i = 0; i < counts[block]; i++) {
        long outputs = batch * widths[block] * side * side;
        add("conv", 9 * channels * outputs, 4 * outputs);
        channels = widths[block];
      }
      side /= 2;
      add("pool", 0, 4 * batch * channels * side * side);
    }
    long inputs = channels * side * side;
    add("flatten", 0, 4 * batch * inputs);
    for (long outputs : new long[] {4096, 4096, 1000}) {
      add("dense", batch * inputs * outputs, 4 * batch * outputs);
      inputs = outputs;
    }
    return LayerRule.training(layers, 0, 4 * batch);
  }

  private void add(String name, long cost, long bytes) {
    layers.add(new ForwardLayer(name, cost, bytes, layers.isEmpty() ? List.of() : List.of(layers.size() - 1)));
  }
}
