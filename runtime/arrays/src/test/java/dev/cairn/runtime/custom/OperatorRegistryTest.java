package dev.cairn.runtime.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorRegistryTest {
  @ParameterizedTest
  @ValueSource(strings = {"Relu", "Square", "my::", "::Relu", "my::Sq uare", "com.microsoft::MatMulIntegerToFloat",
    "ai.onnx::Relu", "ai.onnx::Unheard", "ai.onnx.ml::LabelEncoder"})
  void namesHaveADomainAndAreNotTaken(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> OwnOperators.unary(name, call -> {})).withMessageContaining(
      "name=" + name);
    assertThatIllegalArgumentException().isThrownBy(() -> CompositeOperator.of(name, 1, OwnOperators::mish));
  }

  @Test
  void oneNameOnce() {
    OperatorRegistry one = OperatorRegistry.of(OwnOperators.SQUARE);
    assertThatIllegalArgumentException().isThrownBy(() -> one.with(List.of(OwnOperators.SQUARE))).withMessageContaining(
      "my::Square");
    assertThat(one.operators()).containsExactly(OwnOperators.SQUARE);
    assertThat(OperatorRegistry.STANDARD.table().find("my::Square")).isEmpty();
  }

  @Test
  void traitsNameInputsAndResultsThatExist() {
    assertThatIllegalArgumentException().isThrownBy(() -> OwnOperators.SQUARE.withMemory(MemoryTraits.EITHER_IN_PLACE));
    assertThatIllegalArgumentException().isThrownBy(() -> OwnOperators.SQUARE.withResults(2).withMemory(
      MemoryTraits.ALIAS));
    assertThatIllegalArgumentException().isThrownBy(() -> OwnOperators.SQUARE.withResults(0));
  }

  private static float[] checked(KernelOperator operator) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withOperators(OperatorRegistry.of(operator)
      .checked());
    try (Session session = Session.of(OwnOperators.over(operator.name()), options);
      Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 4);
      Result result = session.run(Map.of("x", x))) {
      return result.get("y").toFloatArray();
    }
  }

  private static void assertBroken(KernelOperator operator, String what) {
    StepFailed failure = catchThrowableOfType(StepFailed.class, () -> checked(operator));
    assertThat(failure.node()).isEqualTo("head/" + operator.name());
    assertThat(failure).hasCauseInstanceOf(BrokenPromise.class).hasMessageContaining(what);
  }

  /** Reads elements that it has overwritten, where its result lies over its input. */
  private static final KernelOperator REVERSE = OwnOperators.unary("my::Reverse", call -> {
    for (int i = 0; i < 4; i++) {
      OwnOperators.put(call.output(0), i, (float) call.input(0).doubleAt(3 - i));
    }
  });

  @Test
  void checkedOperatorsKeepTheirPromises() {
    assertThat(checked(OwnOperators.SQUARE)).containsExactly(1, 4, 9, 16);
    assertThat(checked(REVERSE)).containsExactly(4, 3, 2, 1);
    assertBroken(REVERSE.withMemory(MemoryTraits.FIRST_IN_PLACE), "result 0 lies over input 0");
    assertBroken(OwnOperators.unary("my::Part", call -> OwnOperators.put(call.output(0), 0, 1)), "element=1");
    var calls = new AtomicInteger();
    KernelOperator impure = OwnOperators.unary("my::Count", call -> {
      call.output(0).segment().fill((byte) 0);
      OwnOperators.put(call.output(0), 2, calls.incrementAndGet());
    });
    assertBroken(impure, "not pure: result=0 element=2");
    calls.set(0);
    assertThat(checked(impure.withoutPurity())).containsExactly(0, 0, 1, 0);
  }

  @Test
  void compositesAreReplacedAlsoInEachOther() {
    CompositeOperator twice = CompositeOperator.of("my::Twice", 1, Nested::twice);
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withOperators(OperatorRegistry.of(OwnOperators.MISH,
      twice, OwnOperators.SQUARE));
    try (Session session = Session.of(OwnOperators.over("my::Twice"), options);
      Tensor x = Tensor.of(new float[] {0, 1, 2, 3}, 4);
      Result result = session.run(Map.of("x", x))) {
      float[] y = result.get("y").toFloatArray();
      for (int i = 0; i < 4; i++) {
        double once = mish(i) * mish(i);
        assertThat(y[i]).isCloseTo((float) mish(once), org.assertj.core.data.Offset.offset(1e-5f));
      }
      assertThat(session.compiled().orElseThrow().graph().graph().toString()).doesNotContain("= CastLike");
    }
  }

  private static double mish(double x) {
    return x * Math.tanh(Math.log1p(Math.exp(x)));
  }

  @Test
  void compositesOnArraysThatContainThemselvesAreRefused() {
    CompositeOperator self = CompositeOperator.of("my::Self", 1, Nested::self);
    try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT.withOperators(OperatorRegistry.of(self)));
      var _ = arrays.scope()) {
      NDArray x = arrays.of(new float[] {1}, 1);
      assertThatIllegalArgumentException().isThrownBy(() -> x.call("my::Self", Attributes.NONE)).withMessageContaining(
        "contain each other");
    }
  }

  @Test
  void compositesThatDoNotFitNameTheNode() {
    for (CompositeOperator operator : List.of(CompositeOperator.of("my::Wide", 2, OwnOperators::mish),
      CompositeOperator.of("my::None", 1, Nested::none), CompositeOperator.of("my::Self", 1, Nested::self),
      CompositeOperator.of("my::Selves", 1, Nested::selves))) {
      InvalidGraph fault = catchThrowableOfType(InvalidGraph.class, () -> Session.of(OwnOperators.over(operator.name()),
        SessionOptions.DEFAULT.withOperators(OperatorRegistry.of(operator))));
      assertThat(fault).hasMessageContaining(operator.name().startsWith("my::Sel") ? "contain each other" : "head/");
    }
  }
}
