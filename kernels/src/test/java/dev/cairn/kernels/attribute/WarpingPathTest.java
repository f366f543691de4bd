package dev.cairn.kernels.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Paths through matrices of costs, compared with all paths that there are. */
class WarpingPathTest {
  private static float[] costs(Random random, int count) {
    float[] costs = new float[count];
    for (int i = 0; i < count; i++) {
      costs[i] = random.nextFloat(-1, 1);
    }
    return costs;
  }

  /** The least sum from an element to the last one. */
  private static double least(float[] costs, int rows, int columns, int row, int column) {
    double least = row == rows - 1 && column == columns - 1 ? 0 : Double.POSITIVE_INFINITY;
    for (int step = 1; step < 4; step++) {
      int nextRow = row + (step & 1);
      int nextColumn = column + (step >> 1);
      if (nextRow < rows && nextColumn < columns) {
        least = Math.min(least, least(costs, rows, columns, nextRow, nextColumn));
      }
    }
    return costs[row * columns + column] + least;
  }

  @Test
  void havingTheLeastSum() {
    var random = new Random(5);
    for (int rows = 1; rows <= 5; rows++) {
      for (int columns = 1; columns <= 5; columns++) {
        float[] costs = costs(random, rows * columns);
        int[] path = WarpingPath.of(TensorView.ofFloats(Shape.of(1, rows, columns), costs));
        int length = path.length / 2;
        double sum = 0;
        for (int i = 0; i < length; i++) {
          sum += costs[path[i] * columns + path[length + i]];
          if (i > 0) {
            int down = path[i] - path[i - 1];
            int across = path[length + i] - path[length + i - 1];
            assertThat(Math.min(down, across)).isNotNegative();
            assertThat(Math.max(down, across)).isEqualTo(1);
          }
        }
        assertThat(path[0] + path[length]).isZero();
        assertThat(path[length - 1]).isEqualTo(rows - 1);
        assertThat(path[2 * length - 1]).isEqualTo(columns - 1);
        assertThat(sum).isCloseTo(least(costs, rows, columns, 0, 0), within(1e-6));
      }
    }
  }
}
