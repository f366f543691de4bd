package dev.cairn.kernels.cuda.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TilePlanTest {
  private static final List<DType> TYPES = List.of(DType.FLOAT16, DType.FLOAT32, DType.FLOAT64);

  private static int upTo(Random random, int most) {
    return 1 + random.nextInt(random.nextBoolean() ? most : Math.min(most, 70));
  }

  @Test
  void roomForAProductIsEnoughForAllSmallerOnes() {
    Random random = new Random(3);
    int wantMore = 0;
    for (int i = 0; i < 200_000; i++) {
      int[] large = {upTo(random, 40), upTo(random, 600), upTo(random, 600), upTo(random, 5000)};
      int processors = upTo(random, 140);
      DType dtype = TYPES.get(i % TYPES.size());
      TilePlan plan = TilePlan.of(large[0], large[1], large[2], large[3], dtype, processors);
      long room = plan.workspaceBytesUpTo(dtype, processors);
      assertThat(room).isGreaterThanOrEqualTo(plan.workspaceBytes(dtype));
      TilePlan smaller = TilePlan.of(upTo(random, large[0]), upTo(random, large[1]), upTo(random, large[2]), upTo(
        random, large[3]), dtype, processors);
      assertThat(room).as("%s %s", plan, smaller).isGreaterThanOrEqualTo(smaller.workspaceBytes(dtype));
      wantMore += smaller.workspaceBytes(dtype) > plan.workspaceBytes(dtype) ? 1 : 0;
    }
    assertThat(wantMore).as("smaller products that want more").isGreaterThan(1000);
  }
}
