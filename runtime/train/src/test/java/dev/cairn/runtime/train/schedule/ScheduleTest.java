package dev.cairn.runtime.train.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.runtime.train.optimizer.Adagrad;
import dev.cairn.runtime.train.optimizer.Adam;
import dev.cairn.runtime.train.optimizer.EpsilonRule;
import dev.cairn.runtime.train.optimizer.Ftrl;
import dev.cairn.runtime.train.optimizer.Lamb;
import dev.cairn.runtime.train.optimizer.Optimizers;
import dev.cairn.runtime.train.optimizer.RmsProp;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, -0.1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void ratesAndSettingsAreNumbersOfAtLeastZero(double odd) {
    List<ThrowingCallable> schedules = List.of(() -> Schedule.constant(odd), () -> Schedule.factor(odd, 1, 0.5, 0),
      () -> Schedule.factor(1, 1, odd, 0), () -> Schedule.factor(1, 1, 0.5, odd),
      () -> Schedule.multiFactor(odd, List.of(1L), 0.5), () -> Schedule.multiFactor(1, List.of(1L), odd),
      () -> Schedule.polynomial(odd, 0, 9, 1), () -> Schedule.polynomial(1, odd, 9, 1),
      () -> Schedule.polynomial(1, 0, 9, odd), () -> Schedule.cosine(odd, 0, 9), () -> Schedule.cosine(1, odd, 9),
      () -> Schedule.constant(1).warmedUp(1, odd), () -> Schedule.constant(1).warmedUpAt(1, odd));
    List<ThrowingCallable> optimizers = List.of(() -> Optimizers.sgd().rate(odd), () -> Optimizers.sgd(odd),
      () -> Optimizers.nag(odd), () -> Optimizers.sgd().weightDecay(odd),
      () -> Optimizers.sgd().rateMultiplier("w", odd), () -> Optimizers.sgd().decayMultiplier("w", odd),
      () -> Optimizers.sgd().rate(_ -> odd).factors(1), () -> new Adam(odd, 0.9, 0, EpsilonRule.PYTORCH, true),
      () -> new Adam(0.9, odd, 0, EpsilonRule.PYTORCH, true), () -> new Adam(0.9, 0.9, odd, EpsilonRule.PYTORCH, true),
      () -> new Ftrl(odd, 1), () -> new Ftrl(1, odd), () -> new Adagrad(odd, EpsilonRule.PYTORCH),
      () -> new RmsProp(odd, 0, false, 0, 1, EpsilonRule.PYTORCH),
      () -> new RmsProp(0, odd, false, 0, 1, EpsilonRule.PYTORCH),
      () -> new RmsProp(0, 0, false, odd, 1, EpsilonRule.PYTORCH), () -> new Lamb(odd, 0, 0, 0, 1),
      () -> new Lamb(0, odd, 0, 0, 1), () -> new Lamb(0, 0, odd, 0, 1), () -> new Lamb(0, 0, 0, odd, 1));
    assertThat(Stream.concat(schedules.stream(), optimizers.stream())).allSatisfy(it -> assertThatThrownBy(it)
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("=" + odd));
    assertThatThrownBy(() -> Optimizers.sgd().rescale(Double.NaN)).hasMessageContaining("rescale=NaN");
    assertThatThrownBy(() -> new Lamb(0, 0, 0, 2, 1)).hasMessageContaining("lower=2.0 upper=1.0");
    assertThatThrownBy(() -> new RmsProp(0, 0, false, 0, 0, EpsilonRule.PYTORCH)).hasMessageContaining("clipWeights=0");
  }

  @Test
  void updatesAreAtLeastOneAndStepsAreSorted() {
    for (long none : new long[] {0, -1}) {
      List<ThrowingCallable> wrong = List.of(() -> Schedule.polynomial(1, 0, none, 1),
        () -> Schedule.cosine(1, 0, none), () -> Schedule.factor(1, none, 0.5, 0),
        () -> Schedule.constant(1).warmedUp(none, 0), () -> Schedule.constant(1).warmedUpAt(none, 0),
        () -> Schedule.multiFactor(1, List.of(none), 0.5));
      assertThat(wrong).allSatisfy(it -> assertThatThrownBy(it).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(none)));
    }
    assertThatThrownBy(() -> Schedule.multiFactor(1, List.of(25L, 15L), 0.5)).hasMessageContaining("steps=[25, 15]");
    assertThatThrownBy(() -> Schedule.multiFactor(1, List.of(15L, 15L), 0.5)).hasMessageContaining("steps=[15, 15]");
  }
}
