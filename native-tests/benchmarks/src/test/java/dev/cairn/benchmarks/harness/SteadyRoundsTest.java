package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class SteadyRoundsTest {
  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void aRoundCountsBetweenTwoUsualMeasurements() {
    SteadyRounds steady = SteadyRounds.played(0, 3, List.of(this::turn), measurements(30, 31, 170, 32, 40, 33));
    // The machine was far slower at the end of the second round and at the start of the third.
    assertEquals(List.of(List.of(1.0, 4.0, 5.0)), steady.counted().scores());
    assertEquals(5, steady.played());
    assertEquals("3 of 5; 33 (30..170)", steady.toString());
  }

  @Test
  void whatIsUnusuallyGoodDoesNotCountEither() {
    SteadyRounds steady = SteadyRounds.played(0, 3, List.of(this::turn), measurements(30, 31, 14, 31, 30, 31, 31));
    assertEquals(List.of(List.of(1.0, 4.0, 5.0)), steady.counted().scores());
  }

  @Test
  void whatCountedOnABadMachineIsTakenBackOnAGoodOne() {
    DoubleSupplier machine = measurements(170, 171, 172, 30, 30, 31, 32, 31);
    SteadyRounds steady = SteadyRounds.played(0, 4, List.of(this::turn), machine);
    assertEquals(List.of(List.of(4.0, 5.0, 6.0, 7.0)), steady.counted().scores());
  }

  @Test
  void whereTooFewAreUsualAllCount() {
    DoubleSupplier machine = measurements(30, 170, 30, 170, 30, 170, 30, 170, 30);
    SteadyRounds steady = SteadyRounds.played(0, 2, List.of(this::turn), machine);
    assertEquals("all 8, as too few were steady", steady.counts());
    assertEquals(8, steady.counted().scores().get(0).size());
  }

  @Test
  void warmUpsNeverCount() {
    SteadyRounds steady = SteadyRounds.played(3, 1, List.of(this::turn), measurements(1, 1));
    assertEquals(List.of(List.of(4.0)), steady.counted().scores());
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
