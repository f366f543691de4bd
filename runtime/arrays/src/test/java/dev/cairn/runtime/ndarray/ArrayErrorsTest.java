package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.expression.Index;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each error of bad input names the operation, the arrays' types and a remedy that works. */
class ArrayErrorsTest extends ArrayContract {
  /**
   * A call that must fail.
   *
   * @param call does so
   * @param type of the error
   * @param says what the message contains: operation, types, remedy
   */
  private record Wrong(ThrowingCallable call, Class<? extends Throwable> type, List<String> says) {}

  private static Wrong argument(ThrowingCallable call, String... says) {
    return new Wrong(call, IllegalArgumentException.class, List.of(says));
  }

  private static Wrong state(ThrowingCallable call, String... says) {
    return new Wrong(call, IllegalStateException.class, List.of(says));
  }

  private void assertRefused(List<Wrong> table, NDArray... unchanged) {
    long storages = arrays.stats().storages();
    List<float[]> before = new ArrayList<>();
    for (NDArray array : unchanged) {
      before.add(array.toFloatArray());
    }
    for (int i = 0; i < table.size(); i++) {
      Wrong wrong = table.get(i);
      Throwable thrown = catchThrowable(wrong.call);
      assertThat(thrown).as("row %d", i).isInstanceOf(wrong.type).isNotInstanceOf(OperationFailed.class)
        .hasMessageContainingAll(wrong.says.toArray(CharSequence[]::new));
      assertThat(thrown.getMessage()).as("row %d", i).contains("; ");
    }
    for (int i = 0; i < unchanged.length; i++) {
      assertThat(unchanged[i].toFloatArray()).containsExactly(before.get(i));
    }
    arrays.waitAll();
    assertThat(arrays.stats().storages()).isEqualTo(storages);
  }

  @Test
  void wrongShapesAndTypes() {
    NDArray x = counting(2, 3);
    NDArray two = floats(1, 2);
    NDArray whole = arrays.of(new int[] {1, 2, 3}, 3);
    NDArray bools = whole.gt(1);
    NDArray row = counting(1, 2);
    Attributes ninth = Attributes.NONE.with("axis", new AttributeValue.Int(9));
    assertRefused(List.of(argument(() -> x.add(two), "Add(float32[2x3], float32[2])", "reshape"), argument(() -> x.add(
      whole), "Add(float32[2x3], int32[3])", "astype"), argument(() -> x.addi(whole), "Add(float32[2x3], int32[3])",
        "astype"),
      argument(() -> two.addi(x), "Add", "float32[2], float32[2x3]", "reshape"), argument(() -> bools.addi(
        two), "Add", "bool[3]", "astype"),
      argument(() -> x.matmul(x),
        "MatMul(float32[2x3], float32[2x3])", "reshape"),
      argument(() -> x.apply("Softmax", ninth, 1, List.of(x)),
        "Softmax(float32[2x3])", "axes"),
      argument(() -> arrays.apply("Concat", ninth, 1, List.of(x, two)),
        "Concat(float32[2x3], float32[2])", "reshape"),
      argument(() -> x.reshape(4, -1), "Reshape",
        "float32[2x3]", "reshape"),
      argument(() -> whole.sigmoid(), "Sigmoid", "int32[3]", "astype"),
      argument(() -> arrays.apply("Nonsense", Attributes.NONE, 1, List.of(x)), "Nonsense", "withOperators"), argument(
        () -> two.addi(row), "Add", "result=float32[1x2]",
        "array=float32[2]", "make a new one"),
      argument(() -> x.set(whole), "int32[3]", "float32[2x3]", "astype"),
      argument(() -> x.copyFrom(two), "copyFrom", "float32[2x3]", "float32[2]", "reshape"), argument(() -> x.set(two,
        Index.parse("0")), "set", "float32[2x3]", "float32[2]", "reshape"),
      argument(x::toIntArray, "float32[2x3]",
        "astype"),
      argument(x::item, "float32[2x3]", "reduce"), argument(() -> whole.add(0.5), "0.5", "int32",
        "astype")),
      x, two);
  }

  @Test
  void arraysThatCannotBeUsed() {
    NDArray x = counting(2, 3);
    NDArray closed = counting(4, 5);
    closed.close();
    String array = "array=float32[4x5] made by of";
    try (var others = ArrayRuntime.open(options()); var _ = others.scope()) {
      NDArray other = others.ones(DType.FLOAT32, 2, 3);
      NDArray readOnly = arrays.wrapReadOnly(Arena.ofAuto().allocate(8, 4), DType.FLOAT32, 2);
      String foreign = "array=float32[2x3] made by Expand";
      assertRefused(List.of(state(() -> x.add(closed), "operation=Add", array, "keep"), state(() -> closed.add(x),
        "operation=Add", array), state(() -> closed.addi(x), "operation=Add", array),
        state(() -> x.addi(closed),
          "operation=Add", array),
        state(() -> x.set(closed), "operation=set", array), state(() -> closed.set(1),
          "operation=set", array),
        state(() -> closed.fill(1), "operation=fill", array), state(() -> x.copyFrom(
          closed), "operation=", "array=float32[4x5]"),
        state(closed::toFloatArray, "operation=read", array), state(
          closed::waitToRead, "operation=waitToRead", array),
        state(() -> closed.write(_ -> {}),
          "operation=write", array),
        state(() -> closed.reshape(20), "operation=Reshape", array), state(
          () -> arrays.call("mine", List.of(closed), List.of(TensorType.of(DType.FLOAT32, 1)), (read,
            written) -> {}),
          "operation=mine", array),
        state(closed::close, "float32[4x5]", "scope"),
        argument(() -> x.add(other), "operation=Add", foreign, "copyOf"), argument(() -> other.add(x), "operation=Add",
          "array=float32[2x3] made by of"),
        argument(() -> x.addi(other), "operation=Add", foreign), argument(
          () -> x.set(other), "operation=set", foreign),
        argument(() -> x.copyFrom(other), "operation=", foreign),
        argument(() -> readOnly.fill(1), "operation=fill", "array=float32[2] made by wrap", "copy")), x);
      // The remedies work.
      assertThat(x.add(arrays.copyOf(other.toHost())).sum().item()).isEqualTo(21);
      assertThat(readOnly.copy().fill(1).sum().item()).isEqualTo(2);
    }
  }

  @Test
  void aClosedRuntime() {
    var closed = ArrayRuntime.open(options());
    NDArray y = closed.ones(DType.FLOAT32, 2);
    closed.close();
    String says = "the runtime of these arrays is closed: operation=";
    assertRefused(List.of(state(() -> y.add(y), says + "Add", "ArrayTensors"), state(() -> y.addi(y), says + "Add"),
      state(y::toFloatArray, says + "read"), state(() -> closed.of(new float[] {1}, 1), says + "copyOf"), state(
        () -> closed.zeros(DType.FLOAT32, 1), says + "constant"),
      state(closed::scope, says + "scope"), state(
        () -> closed.bulk(2), says + "bulk"),
      state(() -> closed.order("mine"), says + "order")));
    assertThat(y.toString()).isEqualTo("float32[2] cpu closed");
  }

  /** A failed producer: which array has no value, which operation failed, why, and how it gets a value. */
  @Test
  void aFailedProducer() {
    var runs = new AtomicInteger();
    TensorType type = TensorType.of(DType.FLOAT32, 2, 3);
    NDArray good = counting(2, 3);
    Throwable first = catchThrowable(() -> {
      NDArray bad = arrays.call("planted", List.of(good), List.of(type), (read, written) -> {
        runs.incrementAndGet();
        throw new IllegalArgumentException("told so");
      }).get(0);
      NDArray after = bad.add(good).sum(1);
      Throwable again = catchThrowable(after::toFloatArray);
      assertThat(again).isInstanceOf(OperationFailed.class).hasMessageContainingAll("ReduceSum float32[2]",
        "operation=planted", "told so", "; ", "fill");
      assertThat(bad.fill(2).add(good).sum().item()).as("the remedy works").isEqualTo(27);
      after.toFloatArray();
    });
    assertThat(first).isInstanceOfSatisfying(OperationFailed.class, it -> assertThat(it.operation()).isEqualTo(
      "planted")).hasMessageContainingAll(isNaive() ? "planted float32[2x3]" : "ReduceSum float32[2]", "told so",
        "; ", "withCaptureSites");
    assertThat(runs).hasValue(1);
    assertThat(good.sum().item()).isEqualTo(15);
  }
}
