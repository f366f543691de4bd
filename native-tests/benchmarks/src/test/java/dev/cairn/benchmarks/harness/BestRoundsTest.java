package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class BestRoundsTest {
  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void aRoundCountsBetweenTwoUsualMeasurements() {
    BestRounds best = BestRounds.played(0, 3, List.of(this::turn), measurements(30, 31, 170, 32, 40, 33));
    // The second round ended, and the third began, on a machine that was far worse.
    assertEquals(List.of(List.of(1.0, 4.0, 5.0)), best.counted().scores());
    assertEquals(5, best.played());
    assertEquals("3 of 5 rounds count; 33 (30..170)", best.toString());
  }

  @Test
  void whatIsUnusuallyGoodDoesNotCountEither() {
    BestRounds best = BestRounds.played(0, 3, List.of(this::turn), measurements(30, 31, 14, 31, 30, 31, 31));
    assertEquals(List.of(List.of(1.0, 4.0, 5.0)), best.counted().scores());
  }

  @Test
  void whatCountedOnABadMachineIsTakenBackOnAGoodOne() {
    BestRounds best = BestRounds.played(0, 4, List.of(this::turn), measurements(170, 171, 172, 30, 30, 31, 32, 31));
    assertEquals(List.of(List.of(4.0, 5.0, 6.0, 7.0)), best.counted().scores());
  }

  @Test
  void whereTooFewAreUsualAllCount() {
    BestRounds best = BestRounds.played(0, 2, List.of(this::turn), measurements(30, 170, 30, 170, 30, 170, 30, 170, 30));
    assertEquals(8, best.played());
    assertEquals(8, best.counted().scores().get(0).size());
  }

  @Test
  void warmUpsNeverCount() {
    BestRounds best = BestRounds.played(3, 1, List.of(this::turn), measurements(1, 1));
    assertEquals(List.of(List.of(4.0)), best.counted().scores());
  }

  @Test
  void aTripTakesTime() {
    double nanos = CacheLineTrip.nanos();
    assertTrue(Runtime.getRuntime().availableProcessors() == 1 ? nanos == 0 : nanos > 0, () -> "nanos=" + nanos);
  }

  private double turn() {
    return turns.incrementAndGet();
  }

  private static DoubleSupplier measurements(double... nanos) {
    Iterator<Double> all = Arrays.stream(nanos).iterator();
    return all::next;
  }
}
