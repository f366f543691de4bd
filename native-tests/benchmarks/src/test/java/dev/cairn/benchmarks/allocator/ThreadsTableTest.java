package dev.cairn.benchmarks.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadsTableTest {
  @Test
  void fourThreadsAreMeasuredOnAnyMachineAndEightWhereTheyCanRun() {
    assertEquals(List.of(1, 2, 4), ThreadsTable.threads(1));
    assertEquals(List.of(1, 2, 4), ThreadsTable.threads(7));
    assertEquals(List.of(1, 2, 4, 8), ThreadsTable.threads(8));
    assertEquals(List.of(1, 2, 4, 8), ThreadsTable.threads(64));
  }
}
