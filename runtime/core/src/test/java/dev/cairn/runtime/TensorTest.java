package dev.cairn.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TensorTest {
  @Test
  void ofCopiesTheArray() {
    float[] values = {1, 2, 3, 4};
    try (var tensor = Tensor.of(values, 2, 2)) {
      values[0] = 9;
      assertThat(tensor.toFloatArray()).containsExactly(1, 2, 3, 4);
      assertThat(tensor.shape()).isEqualTo(Shape.of(2, 2));
    }
  }

  @Test
  void valuesAndShapeMustAgree() {
    assertThatThrownBy(() -> Tensor.of(new float[3], 2, 2))
      .isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("shape=2x2")
      .hasMessageContaining("values=3");
    assertThatThrownBy(() -> Tensor.of(new long[0])).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readingAsAnotherTypeIsRefused() {
    try (var tensor = Tensor.of(new long[] {1}, 1)) {
      assertThatThrownBy(tensor::toFloatArray).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("int64");
      assertThat(tensor.toLongArray()).containsExactly(1);
    }
  }

  @Test
  void wrapTakesNativeMemoryOnlyAndNoCopy() {
    assertThatThrownBy(() -> Tensor.wrap(MemorySegment.ofArray(new float[2]), DType.FLOAT32, 2))
      .isInstanceOf(IllegalArgumentException.class);
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> Tensor.wrap(arena.allocate(8), DType.INT64, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("belongs to a thread");
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(8);
      try (var tensor = Tensor.wrap(memory, DType.INT64, 1)) {
        assertThat(tensor.segment().address()).isEqualTo(memory.address());
      }
      assertThatThrownBy(() -> Tensor.wrap(memory, DType.INT64, 2)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aBufferIsRetainedUntilTheTensorIsClosed() {
    ByteBuf buffer = Unpooled.directBuffer(8).writeLongLE(42);
    var tensor = Tensor.wrap(buffer, DType.INT64, 1);
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(tensor.toLongArray()).containsExactly(42);
    tensor.close();
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThatThrownBy(() -> Tensor.wrap(buffer, DType.INT64, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThat(buffer.refCnt()).as("a refused buffer is not retained").isEqualTo(1);
    buffer.release();
  }

  @Test
  void aBufferOfATensorHasItsBytesAndKeepsItOpen() {
    var released = new AtomicInteger();
    var tensor = new Tensor(TensorMemory.owned(LocatedView.onHost(Tensor.of(new long[] {7, -8}, 2).view()),
      released::incrementAndGet));
    ByteBuf buffer = tensor.toByteBuf();
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.readableBytes()).isEqualTo(16);
    assertThat(buffer.readLongLE()).isEqualTo(7);
    ByteBuf rest = buffer.readRetainedSlice(8);
    assertThat(buffer.release()).as("a slice is left").isFalse();
    assertThatThrownBy(tensor::close).isInstanceOf(IllegalStateException.class).hasMessageContaining(
      "a buffer of it is not released");
    tensor.segment().set(ValueLayout.JAVA_LONG, 8, 42);
    assertThat(rest.readLongLE()).as("the same bytes").isEqualTo(42);
    rest.release();
    tensor.close();
    assertThat(released).hasValue(1);
    assertThatThrownBy(tensor::toByteBuf).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closesOnceAndNotWhileInUse() {
    var released = new AtomicInteger();
    TensorMemory memory = TensorMemory.owned(LocatedView.onHost(TensorView.ofLongs(1, 2)), released::incrementAndGet);
    var tensor = new Tensor(memory);
    memory.beginUse(DeviceId.CPU);
    memory.beginUse(DeviceId.CPU);
    memory.endUse();
    assertThatThrownBy(tensor::close).isInstanceOf(IllegalStateException.class)
      .hasMessageContaining("a run reads it now");
    memory.endUse();
    tensor.close();
    assertThat(released).hasValue(1);
    assertThatThrownBy(tensor::close).isInstanceOf(IllegalStateException.class).hasMessageContaining("twice");
    assertThatThrownBy(() -> memory.beginUse(DeviceId.CPU)).isInstanceOf(IllegalStateException.class);
    assertThat(released).hasValue(1);
  }
}
