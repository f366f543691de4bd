package dev.cairn.benchmarks.allocator.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrtArenaTest {
  private static final int CREATE_MEMORY_INFO = 68;

  @BeforeEach
  void onlyWhereThereIsOne() {
    assumeTrue(OrtArena.isThere(), "ONNX Runtime has no library for this machine");
  }

  @Test
  void itIsTheArenaAndNotMalloc() {
    try (Arena arena = ArenaKind.ORT.open()) {
      long first = arena.grant(1024);
      long second = arena.grant(1024);
      assertEquals(1024, second - first);
      arena.release(first);
      assertEquals(first, arena.grant(1000), "the chunk that was given back serves the next request that fits");
    }
  }

  @Test
  void everyArenaIsANewOne() {
    try (Arena one = ArenaKind.ORT.open(); Arena other = ArenaKind.ORT.open()) {
      long address = one.grant(1 << 20);
      one.release(address);
      assertNotEquals(address, other.grant(1 << 20), "what is free in one arena serves no other");
      assertEquals(address, one.grant(1 << 20));
    }
  }

  @Test
  void aRefusalSaysWhatTheLibrarySays() {
    OrtApi api = OrtApi.load();
    try (var scope = java.lang.foreign.Arena.ofConfined()) {
      var refusal = assertThrows(IllegalStateException.class,
        () -> api.create(CREATE_MEMORY_INFO, scope.allocateFrom("NoSuchDevice"), 1, 0, 0));
      assertTrue(String.valueOf(refusal.getMessage()).startsWith("ONNX Runtime refused: slot=68 message="),
        refusal.getMessage());
    }
  }

  @Test
  void onlyPointersAndNumbersArePassed() {
    OrtApi api = OrtApi.load();
    assertThrows(IllegalArgumentException.class, () -> api.call(CREATE_MEMORY_INFO, "Cpu"));
  }
}
