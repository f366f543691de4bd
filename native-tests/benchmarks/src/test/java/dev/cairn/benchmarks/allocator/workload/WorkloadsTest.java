package dev.cairn.benchmarks.allocator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
  @Test
  void aPairGivesBackAtOnce() {
    assertEquals(List.of(1024L, -1L, 1024L, -2L, 1024L, -3L), calls(PairWorkload::new, 3, PairWorkload::run).calls);
    assertEquals(List.of(1024L, -1L, 1024L, -2L), calls(OneLockWorkload::new, 2, OneLockWorkload::run).calls);
  }

  @Test
  void aBatchIsTakenWholeBeforeAnyIsGivenBack() {
    RecordingArena arena = calls(BatchWorkload::new, 2000, BatchWorkload::run);
    assertEquals(4000, arena.calls.size());
    assertEquals(LongStream.range(0, 1000).map(i -> 1024).boxed().toList(), arena.calls.subList(0, 1000));
    assertEquals(LongStream.rangeClosed(1, 1000).map(i -> -i).boxed().toList(), arena.calls.subList(1000, 2000));
    assertEquals(0, arena.held());
  }

  @Test
  void whatIsDelayedIsAThousandRequestsOldAndSizesGoRound() {
    RecordingArena arena = calls(DelayedWorkload::new, 5, workload -> {
      workload.fill();
      workload.run();
    });
    assertEquals(List.of(256L, 4096L, 16384L, 4096L, 512L, 1024L, 1024L, 256L), arena.calls.subList(0, 8));
    // 1,000 is 142 rounds and 6 more.
    assertEquals(List.of(-1L, 1024L, -2L, 256L, -3L, 4096L, -4L, 16384L, -5L, 4096L), arena.calls.subList(1000, 1010));
    assertEquals(1000, arena.held());
  }

  @Test
  void asManyAreLiveAsWereSaidAndAllOperationsAreDone() {
    RecordingArena arena = calls(ReplaceWorkload::new, 5000, workload -> {
      workload.live = 300;
      workload.fill();
      workload.run();
    });
    assertEquals(300 + 2 * 5000, arena.calls.size());
    assertEquals(300, arena.held());
  }

  @Test
  void aDrainGivesAllBackThatItsInvocationTook() {
    RecordingArena arena = calls(DrainWorkload::new, 400, workload -> {
      workload.replaced = 1000;
      workload.fill();
      workload.run();
      workload.fill();
      workload.run();
    });
    assertEquals(2 * (400 + 2 * 1000 + 400), arena.calls.size());
    assertEquals(0, arena.held());
  }

  @Test
  void whatIsTooSmallLiesBetweenTwoThatAreHeld() {
    RecordingArena arena = calls(TooSmallWorkload::new, 6, workload -> {
      workload.isolated = 3;
      workload.batch = 2;
      workload.fill();
      workload.run();
    });
    assertEquals(List.of(1024L, 1024L, 1024L, 1024L, 1024L, 1024L, -1L, -3L, -5L), arena.calls.subList(0, 9));
    assertEquals(List.of(1792L, 1792L, -7L, -8L, 1792L, 1792L, -9L, -10L), arena.calls.subList(9, 17));
    assertEquals(3, arena.held());
  }

  @Test
  void sizesCoverOneToSixteenChunks() {
    var random = new Xorshift();
    int[] chunks = new int[17];
    for (int i = 0; i < 16_000; i++) {
      long bytes = random.bytes();
      assertTrue(bytes > 56 && bytes <= 4096, "bytes=" + bytes);
      chunks[(int) ((bytes + 255) / 256)]++;
    }
    for (int i = 1; i <= 16; i++) {
      assertTrue(chunks[i] > 800 && chunks[i] < 1200, "chunks=%d times=%d".formatted(i, chunks[i]));
    }
  }

  @Test
  void randomNumbersStayBelowTheirBound() {
    var random = new Xorshift();
    for (int bound : new int[] {1, 2, 3, 200, 1_000_000, Integer.MAX_VALUE}) {
      for (int i = 0; i < 1000; i++) {
        int number = random.below(bound);
        assertTrue(number >= 0 && number < bound, "bound=%d number=%d".formatted(bound, number));
      }
    }
  }

  /** What a workload asks of an arena; that it asks the same of another one is seen to. */
  private static <W extends ArenaState> RecordingArena calls(Supplier<W> workload, int operations, Consumer<W> run) {
    var arenas = List.of(new RecordingArena(0), new RecordingArena(-123_456_789));
    for (RecordingArena arena : arenas) {
      W subject = workload.get();
      subject.arena = arena;
      subject.operations = operations;
      run.accept(subject);
    }
    assertEquals(arenas.get(0).calls, arenas.get(1).calls, "the same calls whatever the tokens are");
    return arenas.get(0);
  }
}
