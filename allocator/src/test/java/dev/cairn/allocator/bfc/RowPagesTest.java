package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that share rows, in the first array and in pages: each shows what was, whatever becomes of the others. */
class RowPagesTest {
  private static final class Frozen {
    final ChunkTable table;
    final long[] bytes;

    Frozen(ChunkTable table, long[] bytes) {
      this.table = table;
      this.bytes = bytes;
    }
  }

  private final ChunkTable table = new ChunkTable();
  private long[] bytes = {};

  private void create(int count, Random random) {
    int rows = bytes.length;
    bytes = Arrays.copyOf(bytes, rows + count);
    for (int row = rows; row < bytes.length; row++) {
      bytes[row] = random.nextLong();
      table.ensureRoom(1);
      assertThat(table.create(0, bytes[row])).isEqualTo(row);
    }
  }

  private void write(int count, Random random) {
    for (int i = 0; i < count; i++) {
      int row = random.nextInt(bytes.length);
      bytes[row] = random.nextLong();
      table.setBytes(row, bytes[row]);
    }
  }

  private Frozen freeze() {
    return new Frozen(table.freeze(), bytes.clone());
  }

  private static long[] bytesOf(ChunkTable table) {
    long[] all = new long[table.rows()];
    Arrays.setAll(all, table::bytes);
    return all;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void frozenTablesStayAsTheyWere(long seed) {
    requireThatFrozenTablesStay(seed, 40);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @Tag("long")
  void frozenTablesStayAsTheyWereThroughManySteps(long seed) {
    requireThatFrozenTablesStay(seed, 120);
  }

  private void requireThatFrozenTablesStay(long seed, int steps) {
    Random random = new Random(seed);
    create(seed % 2 == 0 ? 3 : RowPages.FIRST_ROWS - 100, random);
    List<Frozen> frozen = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(5)) {
        case 0 -> create(random.nextInt(bytes.length < RowPages.FIRST_ROWS ? 4000 : 400), random);
        case 1 -> frozen.add(freeze());
        case 2 -> {
          if (frozen.size() > 4) {
            frozen.remove(random.nextInt(frozen.size()));
            table.thaw();
          }
        }
        default -> write(50, random);
      }
      assertThat(Arrays.equals(bytesOf(table), bytes)).isTrue();
      frozen.forEach(it -> assertThat(Arrays.equals(bytesOf(it.table), it.bytes)).isTrue());
    }
  }
}
