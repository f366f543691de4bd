package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.autograd.Autograd;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Functions by name against plain loops over the same numbers. */
class ArrayFunctionsTest extends ArrayContract {
  private static final int ROWS = 4;
  private static final int COLUMNS = 5;

  /** Numbers of which many are equal. */
  private static float[][] table(long seed) {
    var random = new SplittableRandom(seed);
    var table = new float[ROWS][COLUMNS];
    for (float[] row : table) {
      for (int j = 0; j < COLUMNS; j++) {
        row[j] = random.nextInt(-3, 4) / 2f;
      }
    }
    return table;
  }

  private NDArray array(float[][] table) {
    var values = new float[ROWS * COLUMNS];
    for (int i = 0; i < values.length; i++) {
      values[i] = table[i / COLUMNS][i % COLUMNS];
    }
    return arrays.of(values, ROWS, COLUMNS);
  }

  @Test
  void theFirstOfTheLargestAndOfTheSmallest() {
    for (int seed = 0; seed < 20; seed++) {
      float[][] table = table(seed);
      NDArray x = array(table);
      var largest = new long[ROWS];
      var smallest = new long[ROWS];
      for (int i = 0; i < ROWS; i++) {
        for (int j = 1; j < COLUMNS; j++) {
          largest[i] = table[i][j] > table[i][(int) largest[i]] ? j : largest[i];
          smallest[i] = table[i][j] < table[i][(int) smallest[i]] ? j : smallest[i];
        }
      }
      assertThat(x.argmax(1).toLongArray()).as("seed %d", seed).containsExactly(largest);
      assertThat(x.argmin(1).toLongArray()).as("seed %d", seed).containsExactly(smallest);
      assertThat(x.transpose().argmin(-2).toLongArray()).as("seed %d", seed).containsExactly(smallest);
    }
  }

  @Test
  void sumsAndProductsAlongAnAxis() {
    float[][] table = table(1);
    NDArray x = array(table);
    var running = new float[ROWS][COLUMNS];
    var products = new float[COLUMNS];
    var logarithms = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        running[i][j] = table[i][j] + (j == 0 ? 0 : running[i][j - 1]);
        products[j] = table[i][j] * (i == 0 ? 1 : products[j]);
        logarithms[i] += Math.exp(table[i][j]);
      }
    }
    assertThat(x.cumsum(1).toFloatArray()).containsExactly(array(running).toFloatArray());
    assertThat(x.transpose().cumsum(0).transpose().toFloatArray()).containsExactly(array(running).toFloatArray());
    assertThat(x.prod(0).toFloatArray()).containsExactly(products);
    float[] found = x.logsumexp(1).toFloatArray();
    for (int i = 0; i < ROWS; i++) {
      assertThat((double) found[i]).isCloseTo(Math.log(logarithms[i]), within(1e-6));
    }
  }

  @Test
  void trianglesKeepTheDiagonal() {
    float[][] table = table(2);
    var lower = new float[ROWS][COLUMNS];
    var upper = new float[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        lower[i][j] = j <= i ? table[i][j] : 0;
        upper[i][j] = j >= i ? table[i][j] : 0;
      }
    }
    assertThat(array(table).tril().toFloatArray()).containsExactly(array(lower).toFloatArray());
    assertThat(array(table).triu().toFloatArray()).containsExactly(array(upper).toFloatArray());
  }

  /** Windows of 2 by 3, each one row and two columns behind the one before. */
  @Test
  void windowsHaveTheirMeanAndTheirLargest() {
    float[][] table = table(3);
    var means = new float[3 * 2];
    var largest = new float[3 * 2];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 2; j++) {
        float sum = 0;
        float most = Float.NEGATIVE_INFINITY;
        for (int k = 0; k < 6; k++) {
          float value = table[i + k / 3][2 * j + k % 3];
          sum += value;
          most = Math.max(most, value);
        }
        means[i * 2 + j] = sum / 6;
        largest[i * 2 + j] = most;
      }
    }
    NDArray image = array(table).reshape(1, 1, ROWS, COLUMNS);
    long[] window = {2, 3};
    long[] strides = {1, 2};
    assertThat(image.avgPool(window, strides).flatten().toFloatArray()).containsExactly(means, within(1e-6f));
    assertThat(image.maxPool(window, strides).flatten().toFloatArray()).containsExactly(largest);
  }

  @Test
  void bitsAndTruths() {
    int[] a = {12, -1, 7, 1 << 30};
    int[] b = {10, 5, -8, 3};
    NDArray x = arrays.of(a, 4);
    NDArray y = arrays.of(b, 4);
    for (int i = 0; i < 4; i++) {
      assertThat(x.bitwiseAnd(y).toIntArray()[i]).isEqualTo(a[i] & b[i]);
      assertThat(x.bitwiseOr(y).toIntArray()[i]).isEqualTo(a[i] | b[i]);
      assertThat(x.bitwiseXor(y).toIntArray()[i]).isEqualTo(a[i] ^ b[i]);
      assertThat(x.bitwiseNot().toIntArray()[i]).isEqualTo(~a[i]);
    }
    NDArray left = x.gt(0);
    NDArray right = y.gt(4);
    assertThat(left.logicalXor(right).astype(DType.INT32).toIntArray()).containsExactly(0, 1, 1, 1);
  }

  @Test
  void remaindersHaveTheSignThatIsAskedFor() {
    int[] a = {7, -7, 7, -7};
    int[] b = {3, 3, -3, -3};
    NDArray x = arrays.of(a, 4);
    NDArray y = arrays.of(b, 4);
    for (int i = 0; i < 4; i++) {
      assertThat(x.mod(y, false).toIntArray()[i]).isEqualTo(Math.floorMod(a[i], b[i]));
      assertThat(x.mod(y, true).toIntArray()[i]).isEqualTo(a[i] % b[i]);
    }
    float[] halves = floats(7.5f, -7.5f).mod(floats(2, 2), true).toFloatArray();
    assertThat(halves).containsExactly(7.5f % 2, -7.5f % 2);
  }

  /** The slope of x² · x, where the square counts as a constant. */
  @Test
  void noGradientFlowsThroughWhatIsStopped() {
    NDArray x = floats(2, -3).attachGradient();
    NDArray y;
    try (var _ = Autograd.record()) {
      y = x.square().stopGradient().mul(x);
    }
    assertThat(y.toFloatArray()).containsExactly(8, -27);
    y.backward();
    assertThat(x.gradient().toFloatArray()).containsExactly(4, 9);
  }
}
