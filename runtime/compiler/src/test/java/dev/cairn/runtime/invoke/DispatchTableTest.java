package dev.cairn.runtime.invoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.UnsupportedOperators.Gap;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** I-1: how uses of operators run is found once; I-2: values that rules read are part of the question. */
class DispatchTableTest {
  private static final TensorType MATRIX = TensorType.of(DType.FLOAT32, 2, 3);

  private static DispatchTable table(int limit) {
    return new DispatchTable(StandardOperators.table(), StandardKernels.portable(), limit);
  }

  private static OperatorUse use(String operator, @Nullable TensorType... types) {
    return OperatorUse.of(operator, Attributes.NONE, 1, types, new TensorView[types.length]);
  }

  private static OperatorUse reshape(long... shape) {
    TensorView value = TensorView.ofLongs(shape);
    return use("Reshape", MATRIX, value.type()).withValue(1, value);
  }

  private static OperatorUse sum(long axis) {
    TensorView value = TensorView.ofLongs(axis);
    return use("ReduceSum", MATRIX, value.type()).withValue(1, value);
  }

  @Test
  void aRecentUseIsFoundWithoutAnObjectForIt() {
    DispatchTable table = table(4);
    assertThat(table.recent("Add", Attributes.NONE, 1, MATRIX, MATRIX, 0)).isNull();
    Dispatch add = table.find(use("Add", MATRIX, MATRIX));
    Dispatch relu = table.find(use("Relu", MATRIX));
    assertThat(table.recent("Add", Attributes.NONE, 1, MATRIX, MATRIX, 0)).isSameAs(add);
    assertThat(table.recent("Relu", Attributes.NONE, 1, MATRIX, null, 0)).isSameAs(relu);
    assertThat(table.recent("Relu", Attributes.NONE, 2, MATRIX, null, 0)).isNull();
    assertThat(table.recent("Relu", Attributes.NONE, 1, MATRIX, MATRIX, 0)).isNull();
    assertThat(table.recent("Sub", Attributes.NONE, 1, MATRIX, MATRIX, 0)).isNull();
    table.find(sum(0));
    assertThat(table.recent("ReduceSum", Attributes.NONE, 1, MATRIX, TensorView.ofLongs(0).type(), 0)).isNull();
    assertThat(table.recent("Add", Attributes.NONE, 1, MATRIX, MATRIX, 0b10)).as("Add reads no value").isSameAs(add);
    table.find(use("Expand", MATRIX, TensorView.ofLongs(1, 1).type()).withValue(1, TensorView.ofLongs(1, 1)));
    assertThat(table.recent("Expand", Attributes.NONE, 1, MATRIX, TensorView.ofLongs(1, 1).type(), 0b10)).as(
      "Expand reads the shape").isNull();
    table.close();
    assertThat(table.recent("Add", Attributes.NONE, 1, MATRIX, MATRIX, 0)).isNull();
  }

  @Test
  void aUseIsFoundOutOnce() {
    DispatchTable table = table(4);
    Dispatch first = table.find(use("Add", MATRIX, TensorType.of(DType.FLOAT32, 3)));
    assertThat(first.results()).containsExactly(MATRIX);
    assertThat(table.find(use("Add", MATRIX, TensorType.of(DType.FLOAT32, 3)))).isSameAs(first);
    assertThat(table.find(use("Add", MATRIX, MATRIX))).isNotSameAs(first);
    assertThat(table.size()).isEqualTo(2);
  }

  @Test
  void aKernelRunsOnMemoryOfTheCaller() {
    TensorView x = TensorView.ofFloats(Shape.of(2), 1, 2);
    TensorView y = HeapTensor.allocate(x.type());
    try (var device = new CpuDevice(1)) {
      var add = (Dispatch.Compute) table(4).find(use("Add", x.type(), x.type()));
      assertThat(add.row().twin()).isEqualTo(Twin.PORTABLE);
      add.run(new TensorView[] {x, x}, new TensorView[] {y}, MemorySegment.NULL, device.defaultStream());
    }
    assertThat(y.doubleAt(0)).isEqualTo(2);
    assertThat(y.doubleAt(1)).isEqualTo(4);
  }

  @Test
  void valuesThatRulesReadArePartOfTheQuestion() {
    DispatchTable table = table(8);
    assertThat(table.find(sum(0)).results()).containsExactly(TensorType.of(DType.FLOAT32, 1, 3));
    assertThat(table.find(sum(1)).results()).containsExactly(TensorType.of(DType.FLOAT32, 2, 1));
    assertThat(table.find(sum(0))).isSameAs(table.find(sum(0)));
    assertThat(table.find(reshape(3, 2))).isEqualTo(new Dispatch.Alias(TensorType.of(DType.FLOAT32, 3, 2)));
    assertThat(table.find(reshape(6, 1))).isEqualTo(new Dispatch.Alias(TensorType.of(DType.FLOAT32, 6, 1)));
  }

  @Test
  void stringsThatRulesReadAreRememberedToo() {
    DispatchTable table = table(8);
    assertThat(split(table, "a b", "c").results().getFirst()).isEqualTo(TensorType.of(DType.STRING, 2, 2));
    assertThat(split(table, "a b c", "d").results().getFirst()).isEqualTo(TensorType.of(DType.STRING, 2, 3));
    assertThat(split(table, "a b", "c")).isSameAs(split(table, "a b", "c"));
  }

  private static Dispatch split(DispatchTable table, String... text) {
    TensorView value = StringElements.of(List.of(text));
    return table.find(OperatorUse.of("StringSplit", Attributes.NONE, 2, new TensorType[] {value.type()},
      new TensorView[] {value}));
  }

  @Test
  void valuesThatOnlyKernelsReadAreNot() {
    DispatchTable table = table(8);
    for (float value = 0; value < 20; value++) {
      TensorView scalar = TensorView.ofFloats(Shape.SCALAR, value);
      table.find(use("Add", MATRIX, scalar.type()).withValue(1, scalar));
    }
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  void aResultThatTypesDecideIsThereAtOnce() {
    var shape = (Dispatch.Fixed) table(4).find(use("Shape", MATRIX));
    assertThat(shape.value().toLongArray()).containsExactly(2, 3);
  }

  @Test
  void errorsNameOperatorAndTypesAndAreNotRemembered() {
    DispatchTable table = table(4);
    assertThatThrownBy(() -> table.find(use("Add", MATRIX, TensorType.of(DType.BOOL, 2, 3)))).isInstanceOf(
      InvalidGraph.class).hasMessageContaining("Add(float32[2x3], bool[2x3])");
    assertThatThrownBy(() -> table.find(use("Add", MATRIX))).hasMessageContaining("missing=[1]");
    assertThatThrownBy(() -> table.find(use("Nonsense", MATRIX))).isInstanceOfSatisfying(
      UnsupportedOperators.class, it -> assertThat(it.gaps()).extracting(Gap::operator).containsExactly("Nonsense"));
    var open = catchThrowableOfType(ValueDependentShape.class, () -> table.find(use("Reshape", MATRIX, TensorType.of(
      DType.INT64, 1))));
    assertThat(open.input()).isEqualTo(1);
    assertThat(table.size()).isZero();
  }

  @Test
  void anOmittedOperandIsAnotherQuestion() {
    DispatchTable table = table(4);
    TensorType bound = TensorType.of(DType.FLOAT32);
    Dispatch low = table.find(use("Clip", MATRIX, bound, null));
    assertThat(table.find(use("Clip", MATRIX, null, bound))).isNotSameAs(low);
    assertThat(table.find(use("Clip", MATRIX, bound, null))).isSameAs(low);
  }

  @Test
  void aFullTableForgetsWhatWasNotAskedForLongest() {
    DispatchTable table = table(16);
    Dispatch kept = table.find(use("Relu", MATRIX));
    for (int i = 1; i <= 200; i++) {
      table.find(use("Relu", TensorType.of(DType.FLOAT32, i)));
      assertThat(table.find(use("Relu", MATRIX))).isSameAs(kept);
      assertThat(table.size()).isLessThanOrEqualTo(16);
    }
    Dispatch latest = table.find(use("Relu", TensorType.of(DType.FLOAT32, 200)));
    assertThat(table.find(use("Relu", TensorType.of(DType.FLOAT32, 200)))).isSameAs(latest);
  }

  @Test
  void threadsMayAskAtOnce() {
    DispatchTable table = table(32);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int seed = t;
      threads.add(CompletableFuture.runAsync(() -> {
        for (int i = 0; i < 500; i++) {
          TensorType type = TensorType.of(DType.FLOAT32, (i * 7L + seed) % 50);
          assertThat(table.find(use("Neg", type)).results()).containsExactly(type);
        }
      }));
    }
    threads.forEach(CompletableFuture::join);
    assertThat(table.size()).isLessThanOrEqualTo(32 + 4);
  }
}
