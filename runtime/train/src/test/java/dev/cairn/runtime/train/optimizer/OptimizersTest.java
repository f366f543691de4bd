package dev.cairn.runtime.train.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.train.schedule.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases 166 and 167: each optimizer against a naive reference in doubles, over several updates. */
class OptimizersTest {
  private static final int ELEMENTS = 7;
  private static final int UPDATES = 5;
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  static Stream<UpdateRule> rules() {
    List<UpdateRule> rules = new ArrayList<>(List.of(new Lamb(0.9, 0.999, 1e-6, 0, INFINITE), new Lamb(0.8, 0.99, 1e-6,
      0.5, 1.5), new Ftrl(0.01, 1), new Ftrl(1.5, 0.5), new Sgd(0, MomentumRule.PYTORCH)));
    for (MomentumRule rule : MomentumRule.values()) {
      rules.add(new Sgd(0.9, rule));
      rules.add(new Nag(0.9, rule));
    }
    for (EpsilonRule rule : EpsilonRule.values()) {
      rules.add(new Adam(0.9, 0.999, 1e-3, rule, false));
      rules.add(new Adam(0.8, 0.99, 1e-8, rule, true));
      rules.add(new Adagrad(1e-3, rule));
      rules.add(new RmsProp(0.9, 1e-3, false, 0, INFINITE, rule));
      rules.add(new RmsProp(0.99, 1e-8, true, 0.9, INFINITE, rule));
      rules.add(new RmsProp(0.95, 1e-3, true, 0, 0.75, rule));
      rules.add(new RmsProp(0.9, 1e-3, false, 0.5, INFINITE, rule));
    }
    return rules.stream();
  }

  /** A rule with ways to treat gradients first. */
  static Stream<Optimizer> optimizers() {
    return rules().map(Optimizer::of).flatMap(it -> Stream.of(it.rate(0.1), it.rate(Schedule.factor(0.2, 2, 0.5, 0))
      .weightDecay(0.03), it.rate(0.05).rescale(0.14).clip(0.1).weightDecay(0.01)));
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  void followsTheNaiveReferenceInFloat64(Optimizer optimizer) {
    assertFollows(optimizer, DType.FLOAT64, 1e-12);
  }

  @ParameterizedTest
  @MethodSource("optimizers")
  void followsTheNaiveReferenceInFloat32(Optimizer optimizer) {
    assertFollows(optimizer, DType.FLOAT32, 2e-4);
  }

  private static void assertFollows(Optimizer optimizer, DType dtype, double tolerance) {
    var random = new Random(7);
    double[] parameter = random.doubles(ELEMENTS, -1, 1).map(it -> (float) it).toArray();
    var naive = new NaiveOptimizer(optimizer, parameter);
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
      List<NDArray> current = new ArrayList<>(List.of(array(arrays, dtype, parameter)));
      optimizer.rule().states().forEach(_ -> current.add(array(arrays, dtype, new double[ELEMENTS])));
      for (int number = 1; number <= UPDATES; number++) {
        double[] gradient = random.doubles(ELEMENTS, -1, 1).map(it -> (float) it).toArray();
        naive.update(gradient, number);
        List<NDArray> next = optimizer.update("w", current.getFirst(), array(arrays, dtype, gradient), current.subList(
          1, current.size()), factors(arrays, dtype, optimizer, number));
        assertThat(next).hasSameSizeAs(current);
        current.clear();
        current.addAll(next);
      }
      assertThat(values(current.getFirst())).as(optimizer.toString()).containsExactly(naive.parameter(), within(
        tolerance));
    }
  }

  private static Map<String, NDArray> factors(ArrayRuntime arrays, DType dtype, Optimizer optimizer, long number) {
    Map<String, NDArray> factors = new HashMap<>();
    optimizer.factors(number).forEach((name, value) -> factors.put(name, array(arrays, dtype, new double[] {value})
      .reshape()));
    return factors;
  }

  private static NDArray array(ArrayRuntime arrays, DType dtype, double[] values) {
    return arrays.of(values, values.length).astype(dtype);
  }

  private static double[] values(NDArray array) {
    return array.astype(DType.FLOAT64).toDoubleArray();
  }

  @Test
  void aParametersMultipliersScaleItsRateAndItsDecay() {
    Optimizer plain = Optimizers.adamW().rate(0.1).weightDecay(0.5);
    Optimizer multiplied = plain.rateMultiplier("w", 0.5).decayMultiplier("w", 3);
    Optimizer wanted = Optimizers.adamW().rate(0.05).weightDecay(1.5);
    assertThat(once(multiplied, "w")).containsExactly(once(wanted, "w"), within(1e-12));
    assertThat(once(multiplied, "other")).containsExactly(once(plain, "other"));
  }

  private static double[] once(Optimizer optimizer, String name) {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
      NDArray zeros = array(arrays, DType.FLOAT64, new double[2]);
      return values(optimizer.update(name, array(arrays, DType.FLOAT64, new double[] {1, -2}), array(arrays,
        DType.FLOAT64, new double[] {0.5, 0.25}), List.of(zeros, zeros), factors(arrays, DType.FLOAT64, optimizer, 1))
        .getFirst());
    }
  }

  @Test
  void anUpdateWritesNothingThatItReads() {
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
      Optimizer optimizer = Optimizers.sgd(0.9).rate(0.1);
      NDArray parameter = array(arrays, DType.FLOAT64, new double[] {1, 2});
      NDArray gradient = array(arrays, DType.FLOAT64, new double[] {3, 4});
      NDArray state = array(arrays, DType.FLOAT64, new double[2]);
      optimizer.update("w", parameter, gradient, List.of(state), factors(arrays, DType.FLOAT64, optimizer, 1));
      assertThat(values(parameter)).containsExactly(1, 2);
      assertThat(values(gradient)).containsExactly(3, 4);
      assertThat(values(state)).containsExactly(0, 0);
    }
  }

  @Test
  void statesAreNamedAfterOptimizerStateAndParameter() {
    assertThat(Optimizers.adam().stateNames("fc1.weight")).containsExactly("adam.m.fc1.weight", "adam.v.fc1.weight");
    assertThat(Optimizers.sgd().stateNames("fc1.weight")).isEmpty();
  }

  @Test
  void wrongSettingsAreRefusedAndSettingsAreText() {
    assertThatThrownBy(() -> Optimizers.sgd().clip(0)).hasMessageContaining("clip=0");
    assertThat(Optimizers.adamW().settings().toString()).contains("0.999", "0.01", "0.001");
  }
}
