package dev.cairn.kernels.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow.Decides;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KernelCatalogTest {
  private static final Kernel PLAIN = call -> {};
  private static final KernelRow PORTABLE = new KernelRow("Add", Twin.PORTABLE, Decides.FIRST_INPUT,
    EnumSet.of(DType.FLOAT32, DType.INT64), PLAIN);
  private static final KernelRow VECTOR = new KernelRow("Add", Twin.VECTOR, Decides.FIRST_INPUT,
    EnumSet.of(DType.FLOAT32), new Choosy());
  private static final KernelRow CAST = new KernelRow("Cast", Twin.PORTABLE, Decides.FIRST_OUTPUT,
    EnumSet.of(DType.BOOL), PLAIN);
  private static final KernelRow WHERE = new KernelRow("Where", Twin.PORTABLE, Decides.SECOND_INPUT,
    EnumSet.of(DType.FLOAT16), PLAIN);

  @Test
  void theFasterTwinIsPreferredWhateverTheOrderOfRows() {
    for (List<KernelRow> rows : List.of(List.of(PORTABLE, VECTOR), List.of(VECTOR, PORTABLE))) {
      var catalog = new KernelCatalog(rows);
      assertThat(catalog.find("Add", unary(DType.FLOAT32, 8))).contains(VECTOR);
      assertThat(catalog.rows("Add")).containsExactly(VECTOR, PORTABLE);
    }
  }

  @Test
  void thePortableTwinServesWhatTheFasterOneRefuses() {
    var catalog = new KernelCatalog(List.of(PORTABLE, VECTOR));
    assertThat(catalog.find("Add", unary(DType.FLOAT32, 7))).contains(PORTABLE);
    assertThat(catalog.find("Add", unary(DType.INT64, 8))).contains(PORTABLE);
    assertThat(catalog.find("Add", unary(DType.INT8, 8))).isEmpty();
    assertThat(catalog.find("Sub", unary(DType.FLOAT32, 8))).isEmpty();
  }

  @Test
  void theDecidingOperandIsTheOneNamed() {
    var catalog = new KernelCatalog(List.of(CAST, WHERE));
    var bool = TensorType.of(DType.BOOL, 2);
    var half = TensorType.of(DType.FLOAT16, 2);
    assertThat(catalog.find("Cast", KernelSignature.of(List.of(half), List.of(bool), Attributes.NONE))).contains(CAST);
    assertThat(catalog.find("Cast", KernelSignature.of(List.of(bool), List.of(half), Attributes.NONE))).isEmpty();
    assertThat(catalog.find("Where", KernelSignature.of(List.of(bool, half), List.of(half), Attributes.NONE)))
      .contains(WHERE);
    assertThat(catalog.find("Where", KernelSignature.of(List.of(half, bool), List.of(half), Attributes.NONE)))
      .isEmpty();
  }

  @Test
  void listsWhatThereIs() {
    var catalog = new KernelCatalog(List.of(WHERE, VECTOR, PORTABLE, CAST));
    assertThat(catalog.operators()).containsExactly("Add", "Cast", "Where");
    assertThat(catalog.dtypes("Add")).containsExactly(DType.FLOAT32, DType.INT64);
    assertThat(catalog.dtypes("Sub")).isEmpty();
    assertThat(catalog.rows("Sub")).isEmpty();
    assertThat(new KernelCatalog(List.of()).operators()).isEmpty();
  }

  @Test
  void rowsCannotBeChanged() {
    Set<DType> dtypes = EnumSet.of(DType.BOOL);
    var row = new KernelRow("Not", Twin.PORTABLE, Decides.FIRST_INPUT, dtypes, PLAIN);
    dtypes.add(DType.INT8);
    assertThat(row.dtypes()).containsExactly(DType.BOOL);
  }

  @Test
  void kernelsNeedNoWorkspaceUnlessTheySaySo() {
    assertThat(PLAIN.workspaceBytes(unary(DType.BOOL, 1))).isZero();
    assertThat(PLAIN.accepts(unary(DType.BOOL, 1))).isTrue();
  }

  @Test
  void inputsLeftOutAreKnown() {
    var type = TensorType.of(DType.INT64, 1);
    var signature = new KernelSignature(List.of(Optional.of(type), Optional.empty()), List.of(type), Attributes.NONE);
    assertThat(signature.has(0)).isTrue();
    assertThat(signature.has(1)).isFalse();
    assertThat(signature.has(2)).isFalse();
    assertThatThrownBy(() -> signature.input(1)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("index=1");
    @Nullable
    TensorView[] inputs = {TensorView.ofLongs(5), null};
    try (var device = new CpuDevice(1)) {
      var call = new KernelCall(inputs, new TensorView[] {TensorView.ofLongs(0)}, Attributes.NONE, MemorySegment.NULL,
        device.defaultStream());
      inputs[0] = null;
      assertThat(call.has(0)).isTrue();
      assertThat(call.has(1)).isFalse();
      assertThat(call.has(2)).isFalse();
      assertThatThrownBy(() -> call.input(1)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index=1");
      call.bindInput(1, TensorView.ofLongs(8));
      assertThat(call.input(1).longAt(0)).isEqualTo(8);
      assertThat(call.inputCount()).isEqualTo(2);
      assertThat(call.outputCount()).isEqualTo(1);
    }
  }

  private static KernelSignature unary(DType dtype, long extent) {
    var type = TensorType.of(dtype, extent);
    return KernelSignature.of(List.of(type), List.of(type), Attributes.NONE);
  }

  /** Takes even extents only. */
  private static final class Choosy implements Kernel {
    @Override
    public void run(KernelCall call) {}

    @Override
    public boolean accepts(KernelSignature signature) {
      return signature.input(0).shape().extent(0) % 2 == 0;
    }
  }
}
