package dev.cairn.runtime.train.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Case 168: the schedules of MXNet, as functions of the update's number. */
class ScheduleTest {
  private static double[] rates(Schedule schedule, long... numbers) {
    return LongStream.of(numbers).mapToDouble(schedule::rate).toArray();
  }

  @Test
  void aConstantRateStays() {
    assertThat(rates(Schedule.constant(0.5), 1, 1_000_000)).containsExactly(0.5, 0.5);
  }

  @Test
  void aFactorAppliesAfterEachStepButNotBelowTheStop() {
    Schedule schedule = Schedule.factor(1, 100, 0.1, 1e-4);
    assertThat(rates(schedule, 0, 1, 100)).containsExactly(1, 1, 1);
    assertThat(rates(schedule, 101, 200)).containsExactly(new double[] {0.1, 0.1}, within(1e-15));
    assertThat(rates(schedule, 201)).containsExactly(new double[] {0.01}, within(1e-15));
    assertThat(rates(schedule, 100_000)).containsExactly(1e-4);
    assertThatThrownBy(() -> Schedule.factor(1, 0, 0.1, 0)).hasMessageContaining("step=0");
  }

  @Test
  void aMultiFactorCountsTheStepsBelowTheNumber() {
    Schedule schedule = Schedule.multiFactor(0.1, List.of(15L, 25L), 0.1);
    assertThat(rates(schedule, 1, 15, 16, 25, 26, 99)).containsExactly(new double[] {0.1, 0.1, 0.01, 0.01, 0.001,
      0.001}, within(1e-15));
  }

  @Test
  void aPolynomialAndACosineFallToTheEndAndStayThere() {
    Schedule polynomial = Schedule.polynomial(3, 1, 1000, 2);
    assertThat(rates(polynomial, 0, 500, 1000, 2000)).containsExactly(new double[] {3, 1 + 2 * 0.25, 1, 1}, within(
      1e-12));
    Schedule cosine = Schedule.cosine(3, 0.1, 1000);
    assertThat(rates(cosine, 0, 500, 1000, 2000)).containsExactly(new double[] {3, 1.55, 0.1, 0.1}, within(1e-12));
  }

  @Test
  void aWarmUpGrowsEvenlyOrStaysAndTheRestDeclinesFromItsEnd() {
    Schedule linear = Schedule.cosine(3, 0.1, 1000).warmedUp(500, 1);
    assertThat(rates(linear, 0, 250, 500, 750, 1000)).containsExactly(new double[] {1, 2, 3, 1.55, 0.1}, within(1e-12));
    Schedule level = Schedule.polynomial(3, 1, 1000, 1).warmedUpAt(500, 0.5);
    assertThat(rates(level, 1, 499, 500, 750)).containsExactly(new double[] {0.5, 0.5, 3, 2}, within(1e-12));
    Schedule factor = Schedule.factor(1, 100, 0.1, 0).warmedUp(10, 0);
    assertThat(rates(factor, 5, 10, 100, 101)).containsExactly(new double[] {0.5, 1, 1, 0.1}, within(1e-15));
  }

  @Test
  void theTextHasAllSettings() {
    assertThat(Schedule.polynomial(3, 1, 1000, 2).warmedUp(7, 0.25).toString()).contains("3.0", "1.0", "1000", "2.0",
      "7", "0.25");
  }
}
