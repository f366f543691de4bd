package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.custom.FaultyOperators;
import dev.cairn.runtime.engine.OperationFailed;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * T-11: each kernel of random programs on the tape fails in turn, forward and backward. Nothing hangs; a value that can
 * be read is the right one to the bit; and the next run of the same program is right altogether.
 */
class TapedFaultsTest extends ArrayContract {
  private static final int LEAVES = 3;
  private static final int ELEMENTS = 5;

  @Override
  protected ArrayOptions options() {
    return super.options().withOperators(FaultyOperators.REGISTRY);
  }

  @Test
  void eachKernelFailsInTurn() {
    programs(3);
  }

  @Test
  @Tag("soak")
  void eachKernelOfAHundredProgramsFailsInTurn() {
    programs(100);
  }

  private void programs(int count) {
    for (int seed = 0; seed < count; seed++) {
      FaultyOperators.failAt(-1);
      List<float[]> expected = run(seed);
      int calls = FaultyOperators.calls();
      assertThat(expected).doesNotContainNull();
      assertThat(calls).isGreaterThan(LEAVES);
      for (int failing = 0; failing < calls; failing++) {
        FaultyOperators.failAt(failing);
        List<float[]> found = run(seed);
        for (int i = 0; i < expected.size(); i++) {
          if (found.get(i).length > 0) {
            assertThat(found.get(i)).as("seed=%d failing=%d value=%d", seed, failing, i).containsExactly(expected.get(
              i));
          }
        }
        assertThat(found).as("seed=%d failing=%d of %d", seed, failing, calls).anyMatch(it -> it.length == 0);
      }
      FaultyOperators.failAt(-1);
      assertSame(run(seed), expected);
    }
  }

  private static void assertSame(List<float[]> found, List<float[]> expected) {
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.get(i)).containsExactly(expected.get(i));
    }
  }

  /** The result and the leaves' gradients; none where they failed, or where no backward has set them. */
  private List<float[]> run(int seed) {
    try (var _ = arrays.scope()) {
      var random = new SplittableRandom(seed);
      List<NDArray> leaves = new ArrayList<>();
      for (int i = 0; i < LEAVES; i++) {
        float[] values = new float[ELEMENTS];
        for (int j = 0; j < ELEMENTS; j++) {
          values[j] = (float) random.nextDouble(-1, 1);
        }
        leaves.add(arrays.of(values, ELEMENTS).attachGradient());
      }
      List<float[]> found = new ArrayList<>();
      try {
        NDArray y;
        try (var _ = Autograd.record()) {
          y = program(leaves, random);
        }
        y.backward();
        found.add(read(y));
      } catch (OperationFailed e) {
        // Thrown by the call itself where the engine runs everything in it.
        assertThat(e).hasMessageContaining("planted");
        found.add(new float[0]);
      }
      leaves.forEach(leaf -> found.add(leaf.isGradientFresh() ? read(leaf.gradient()) : new float[0]));
      drain();
      return found;
    }
  }

  /** Every value is used, so that every failure shows. */
  private static NDArray program(List<NDArray> leaves, SplittableRandom random) {
    List<NDArray> values = new ArrayList<>(leaves);
    List<NDArray> unused = new ArrayList<>(leaves);
    for (int i = 0; i < 4 + random.nextInt(6); i++) {
      NDArray left = values.get(random.nextInt(values.size()));
      NDArray right = values.get(random.nextInt(values.size()));
      int kind = random.nextInt(4);
      NDArray made = switch (kind) {
        case 0 -> left.call("t::Add", Attributes.NONE, right);
        case 1 -> left.call("t::Mul", Attributes.NONE, right);
        case 2 -> left.call("t::Sin", Attributes.NONE);
        default -> left.call("t::Cos", Attributes.NONE);
      };
      unused.remove(left);
      if (kind < 2) {
        unused.remove(right);
      }
      unused.add(made);
      values.add(made);
    }
    NDArray y = values.getLast();
    for (NDArray other : unused) {
      y = y.call("t::Add", Attributes.NONE, other);
    }
    return y;
  }

  private static float[] read(NDArray array) {
    try {
      return array.toFloatArray();
    } catch (OperationFailed e) {
      assertThat(e).hasMessageContaining("planted");
      return new float[0];
    }
  }

  /** A failure that nobody has read is told once more. */
  private void drain() {
    try {
      arrays.waitAll();
    } catch (OperationFailed e) {
      assertThat(e).hasMessageContaining("planted");
    }
  }
}
