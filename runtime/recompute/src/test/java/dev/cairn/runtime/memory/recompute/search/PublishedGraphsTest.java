package dev.cairn.runtime.memory.recompute.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.LayerRule;
import dev.cairn.runtime.memory.recompute.LayerRule.ForwardLayer;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published training graphs, at parts of their peak: overheads in percent that a plain annealing found. */
class PublishedGraphsTest {
  @ParameterizedTest
  @CsvSource({"vgg16_b256, .95, .7743", "unet_b32, .60, 4.4510", "resnet50_b256, .80, .2787", "random250, .80, 0"})
  void reachesTheBestKnownWordWithLittleWork(String graph, BigDecimal part, double percent) throws IOException {
    check(graph, part, percent, 40_000_000);
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"vgg16_b256, .90, 1.9678", "vgg16_b256, .85, 1.9678", "vgg19_b256, .80, 2.7560", "vgg19_b256, .90, .1043",
    "unet_b32, .80, 1.9837", "unet_b32, .50, 6.9667", "unet_b32, .42, 11.2563", "unet_b32, .40, 13.1109",
    "fcn8_b32_flops, .80, .1362", "fcn8_b32_flops, .65, 1.6174", "segnet_b32, .60, .4234", "segnet_b32, .45, 40.7549",
    "mobilenet_b512, .80, .3703", "mobilenet_b512, .50, 1.6352", "mobilenet_b512, .30, 3.9796",
    "resnet50_b256, .50, 1.5099", "resnet50_b256, .30, 3.7970", "random100, .80, 0", "random100, .70, 2.1437",
    "random500, .90, 0", "random500, .80, 1.2563", "random1000, .90, .4325",
    "mobilenet_b512, .365, 4.1", "resnet50_b256, .356, 4.6"})
  void reachesTheBestKnownWords(String graph, BigDecimal part, double percent) throws IOException {
    check(graph, part, percent, 1_000_000_000);
  }

  private static void check(String graph, BigDecimal part, double percent, long work) throws IOException {
    RecomputeProblem problem = RecomputeProblems.published(graph);
    long peak = WordJudge.peak(problem, problem.givenOrder());
    RecomputeAnswer answer = RecomputePlanner.plan(problem, part.multiply(BigDecimal.valueOf(peak)).longValue(), work);
    assertThat(answer.fits()).isTrue();
    assertThat(100 * answer.overhead()).isBetween(100 * answer.overheadBound(), percent);
  }

  /** A transformer of 360 blocks, in training: within 1.05 of the bound. */
  @Tag("soak")
  @Test
  void comesNearTheBoundOnTenThousandNodes() {
    List<ForwardLayer> layers = new ArrayList<>(List.of(ForwardLayer.of("embedding", 10, 8)));
    int x = 0;
    for (int block = 0; block < 360; block++) {
      int s = layers.size();
      layers.addAll(List.of(ForwardLayer.of("norm", 8, 8, x), ForwardLayer.of("q", 100, 8, s),
        ForwardLayer.of("k", 100, 8, s), ForwardLayer.of("v", 100, 8, s), ForwardLayer.of("scores", 60, 16, s + 1,
          s + 2),
        ForwardLayer.of("softmax", 16, 16, s + 4), ForwardLayer.of("context", 60, 8, s + 5, s + 3),
        ForwardLayer.of("projection", 100, 8, s + 6), ForwardLayer.of("add", 8, 8, s + 7, x), ForwardLayer.of("norm", 8,
          8, s + 8),
        ForwardLayer.of("dense", 400, 32, s + 9), ForwardLayer.of("gelu", 32, 32, s + 10), ForwardLayer.of(
          "dense", 400, 8, s + 11),
        ForwardLayer.of("add", 8, 8, s + 12, s + 8)));
      x = s + 13;
    }
    RecomputeProblem problem = LayerRule.training(layers, 1, 1);
    assertThat(problem.nodes()).isEqualTo(10_083);
    long peak = WordJudge.peak(problem, problem.givenOrder());
    RecomputeAnswer answer = RecomputePlanner.plan(problem, peak / 5);
    assertThat(answer.fits()).isTrue();
    assertThat((double) answer.cost() / answer.bound()).isLessThan(1.05);
  }
}
