package dev.cairn.benchmarks.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllocatorOptionsTest {
  @Test
  void nineRoundsOrMoreOfEverythingUnlessSaidOtherwise() {
    AllocatorOptions options = AllocatorOptions.parse(List.of());
    assertEquals(new AllocatorOptions(false, false, List.of(), Effort.FULL), options);
    assertTrue(options.effort().rounds() >= 9);
    assertTrue(AllocatorBenchmark.TABLES.stream().allMatch(options::wants));
  }

  @Test
  void everyOptionIsHeard() {
    AllocatorOptions options = AllocatorOptions.parse(List.of("--rounds", "4", "--tables", "hot,live", "--quick"));
    assertEquals(new AllocatorOptions(true, false, List.of("hot", "live"), Effort.QUICK.withRounds(4)), options);
    assertEquals(List.of("hot", "live"), AllocatorBenchmark.TABLES.stream().filter(options::wants).map(
      FigureTable::name).toList());
  }

  @Test
  void onlyAWholeRunIsKept() {
    assertTrue(AllocatorOptions.parse(List.of("--write")).write());
    refused("--write", "--quick");
    refused("--write", "--tables", "hot");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    refused("--rounds", "0");
    refused("--rounds");
    refused("--rounds", "many");
    refused("--tables");
    refused("--threads", "2");
  }

  @Test
  void tablesHaveDifferentNames() {
    List<String> names = AllocatorBenchmark.TABLES.stream().map(FigureTable::name).toList();
    assertEquals(names, names.stream().distinct().toList());
  }

  private static void refused(String... arguments) {
    assertThrows(IllegalArgumentException.class, () -> AllocatorOptions.parse(List.of(arguments)));
  }
}
