package dev.cairn.runtime.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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
  void everyArrayBecomesATensor() {
    assertThat(Tensor.of(new double[] {1, 2}, 2).toDoubleArray()).containsExactly(1, 2);
    assertThat(Tensor.of(new boolean[] {true, false}, 2, 1).toByteArray()).containsExactly(1, 0);
    assertThat(Tensor.of(new short[] {-1}, 1).type()).isEqualTo(TensorType.of(DType.INT16, 1));
    assertThat(Tensor.of(new byte[] {-1, 7}, DType.UINT8, 2).view().longAt(0)).isEqualTo(255);
    assertThat(Tensor.of(new byte[] {1, 0, 2, 0}, DType.INT16, 2).toByteArray()).containsExactly(1, 0, 2, 0);
    assertThatThrownBy(() -> Tensor.of(new byte[3], DType.INT16, 1)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("wantedBytes=2 bytes=3");
  }

  @Test
  void everyBufferBecomesATensor() {
    FloatBuffer floats = FloatBuffer.wrap(new float[] {1, 2, 3}).position(1);
    assertThat(Tensor.of(floats, 2).toFloatArray()).containsExactly(2, 3);
    assertThat(floats.position()).isEqualTo(1);
    assertThat(Tensor.of(floats.asReadOnlyBuffer(), 1, 2).toFloatArray()).containsExactly(2, 3);
    assertThat(Tensor.of(LongBuffer.wrap(new long[] {5}), 1).toLongArray()).containsExactly(5);
    assertThat(Tensor.of(DoubleBuffer.wrap(new double[] {0.5}), 1).toDoubleArray()).containsExactly(0.5);
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      ByteBuffer direct = ByteBuffer.allocateDirect(9).order(order).putInt(1, 7).putInt(5, -8).position(1);
      assertThat(Tensor.of(direct.asIntBuffer(), 2).toIntArray()).containsExactly(7, -8);
      ByteBuffer heap = ByteBuffer.allocate(4).order(order).putShort(0, (short) 7).putShort(2, (short) -8);
      Tensor shorts = Tensor.of(heap.asShortBuffer(), 1, 2);
      assertThat(shorts.type()).isEqualTo(TensorType.of(DType.INT16, 1, 2));
      assertThat(shorts.view().longAt(0)).isEqualTo(7);
      assertThat(shorts.view().longAt(1)).isEqualTo(-8);
    }
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, -1, 7}).position(1);
    assertThat(Tensor.of(bytes, DType.UINT8, 2).view().longAt(0)).isEqualTo(255);
    assertThat(bytes.position()).isEqualTo(1);
    assertThatThrownBy(() -> Tensor.of(bytes, 2)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("bytes need an element type");
    assertThatThrownBy(() -> Tensor.of(floats, 3)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("shape=3 elements=3 values=2");
  }

  @Test
  void narrowElementsComeFromBytesAndFromNumbers() {
    Tensor packed = Tensor.of(new byte[] {(byte) 0xf7, 0x08}, DType.INT4, 3);
    assertThat(packed.toIntArray()).containsExactly(7, -1, -8);
    assertThat(packed.toFloatArray()).containsExactly(7, -1, -8);
    assertThat(Tensor.of(new int[] {7, -1, -8}, DType.INT4, 1, 3).toByteArray()).containsExactly(0xf7, 0x08);
    assertThat(Tensor.of(new int[] {3, 0, 1, 2, 3}, DType.UINT2, 5).toByteArray()).containsExactly(0b10_01_00_11, 3);
    Tensor rounded = Tensor.of(new float[] {1.06f, 1000, -0.3f}, DType.FLOAT8E4M3FN, 3);
    assertThat(rounded.toFloatArray()).containsExactly(1, 448, -0.3125f);
    assertThat(Tensor.of(new float[] {5.1f, 9, -0.3f}, DType.FLOAT4E2M1, 3).toFloatArray()).containsExactly(6, 6,
      -0.5f);
    assertThatThrownBy(rounded::toIntArray).hasMessageContaining("wanted=int32 tensor=float8e4m3fn[3]");
    assertThatThrownBy(() -> Tensor.of(new int[] {8}, DType.INT4, 1)).hasMessageContaining("dtype=int4 value=8");
    assertThatThrownBy(() -> Tensor.of(new int[] {1}, DType.INT32, 1)).hasMessageContaining("dtype=int32");
    assertThatThrownBy(() -> Tensor.of(new float[2], DType.INT4, 1)).hasMessageContaining("elements=1 values=2");
    assertThatThrownBy(() -> Tensor.of(new byte[1], DType.INT4, 3)).hasMessageContaining("wantedBytes=2 bytes=1");
  }

  @Test
  void halfPrecisionIsRoundedAndWidened() {
    float[] values = {1, -0.1f, 65504, 1e-7f, 0.333333f};
    Tensor half = Tensor.of(values, DType.FLOAT16, 5);
    assertThat(half.type()).isEqualTo(TensorType.of(DType.FLOAT16, 5));
    assertThat(half.toFloatArray()).containsExactly(1, -0.099975586f, 65504, 1.1920929e-7f, 0.33325195f);
    assertThat(Tensor.of(values, DType.BFLOAT16, 5).toFloatArray()).containsExactly(1, -0.100097656f, 65536,
      1.0011718e-7f,
      0.33398438f);
    assertThat(Tensor.of(values, DType.FLOAT32, 5).toFloatArray()).isEqualTo(values);
    assertThatThrownBy(() -> Tensor.of(values, DType.INT32, 5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Tensor.of(values, DType.FLOAT16, 4)).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("values=5");
  }

  @Test
  void aNestedArrayGivesShapeAndElements() {
    Tensor cube = Tensor.ofNested(new long[][][] {{{1, 2, 3}}, {{4, 5, 6}}});
    assertThat(cube.shape()).isEqualTo(Shape.of(2, 1, 3));
    assertThat(cube.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(Tensor.ofNested(new float[0]).type()).isEqualTo(TensorType.of(DType.FLOAT32, 0));
    assertThat(Tensor.ofNested(new boolean[2][2]).dtype()).isEqualTo(DType.BOOL);
    assertThat(Tensor.ofNested(new byte[][] {{1}, {-2}}).type()).isEqualTo(TensorType.of(DType.INT8, 2, 1));
    Tensor words = Tensor.ofNested(new String[][] {{"a", "b"}});
    assertThat(words.shape()).isEqualTo(Shape.of(1, 2));
    assertThat(words.toStringArray()).containsExactly("a", "b");
    assertThatThrownBy(() -> Tensor.ofNested(new int[][] {{1, 2}, {3}})).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("rows differ in length: axis=1 first=2 other=1");
    assertThatThrownBy(() -> Tensor.ofNested(new int[][] {{1}, null})).isInstanceOf(NullPointerException.class)
      .hasMessageContaining("row");
    assertThatThrownBy(() -> Tensor.ofNested(new Object[] {"a"})).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining("java.lang.Object[]");
    assertThatThrownBy(() -> Tensor.ofNested(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Tensor.ofNested(new float[0][])).isInstanceOf(IllegalArgumentException.class);
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
    var tensor = NettyTensors.wrap(buffer, DType.INT64, 1);
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(tensor.toLongArray()).containsExactly(42);
    tensor.close();
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThatThrownBy(() -> NettyTensors.wrap(buffer, DType.INT64, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThat(buffer.refCnt()).as("a refused buffer is not retained").isEqualTo(1);
    buffer.release();
  }

  @Test
  void aBufferOfATensorHasItsBytesAndKeepsItOpen() {
    var released = new AtomicInteger();
    var tensor = new Tensor(TensorMemory.owned(LocatedView.onHost(Tensor.of(new long[] {7, -8}, 2).view()),
      released::incrementAndGet));
    ByteBuf buffer = NettyTensors.toByteBuf(tensor);
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
    assertThatThrownBy(() -> NettyTensors.toByteBuf(tensor)).isInstanceOf(IllegalStateException.class);
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

  @Test
  void bytesMoveUnlessTheyAreUsedOrHandedOutOrClosed() {
    TensorMemory memory = TensorMemory.owned(LocatedView.onHost(inNativeMemory(1, 2)), () -> {});
    var tensor = new Tensor(memory);
    MemorySegment place = inNativeMemory(0, 0).segment();
    memory.beginUse(DeviceId.CPU);
    assertThat(memory.isMovable()).isFalse();
    assertThat(memory.move(place, MemorySegment::copyFrom)).isFalse();
    memory.endUse();
    assertThat(memory.isMovable()).isTrue();
    assertThat(memory.move(place, MemorySegment::copyFrom)).isTrue();
    assertThat(memory.located().view().segment().address()).isEqualTo(place.address());
    assertThat(tensor.toLongArray()).containsExactly(1, 2);
    assertThat(tensor.segment().address()).isEqualTo(place.address());
    assertThat(memory.isMovable()).as("a caller has its segment").isFalse();
    assertThat(memory.move(inNativeMemory(0, 0).segment(), MemorySegment::copyFrom)).isFalse();
    tensor.close();
    assertThat(memory.move(inNativeMemory(0, 0).segment(), MemorySegment::copyFrom)).isFalse();
  }

  @Test
  void readersUsersAndThoseWhoCloseWaitForAMove() throws InterruptedException {
    List<Consumer<Tensor>> callers = List.of(tensor -> assertThat(tensor.toLongArray()).containsExactly(1, 2),
      tensor -> assertThat(tensor.view().longAt(1)).isEqualTo(2),
      tensor -> TensorMemory.of(tensor).beginUse(DeviceId.CPU), Tensor::close);
    for (Consumer<Tensor> caller : callers) {
      var released = new AtomicInteger();
      TensorMemory memory = TensorMemory.owned(LocatedView.onHost(inNativeMemory(1, 2)), released::incrementAndGet);
      var tensor = new Tensor(memory);
      var failure = new AtomicReference<Throwable>();
      var thread = new Thread(() -> caller.accept(tensor));
      thread.setUncaughtExceptionHandler((_, e) -> failure.set(e));
      assertThat(memory.move(inNativeMemory(0, 0).segment(), (target, source) -> {
        thread.start();
        while (thread.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        assertThat(released).hasValue(0);
        target.copyFrom(source);
        source.fill((byte) -1);
      })).isTrue();
      thread.join();
      assertThat(failure).hasValue(null);
    }
  }

  private static TensorView inNativeMemory(long... values) {
    return new TensorView(TensorType.of(DType.INT64, values.length), Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG,
      values));
  }

  @Test
  void aMoveThatFailsKeepsTheContentsUnlessTheRangesOverlap() {
    TensorMemory.Copy broken = (_, _) -> {
      throw new UnsupportedOperationException("on purpose");
    };
    MemorySegment bytes = Arena.ofAuto().allocate(64, 8);
    bytes.set(ValueLayout.JAVA_LONG, 8, 42);
    TensorMemory memory = TensorMemory.owned(LocatedView.onHost(new TensorView(TensorType.of(DType.INT64, 2), bytes
      .asSlice(8, 16))), () -> {});
    var tensor = new Tensor(memory);
    assertThatThrownBy(() -> memory.move(bytes.asSlice(32, 16), broken)).hasMessage("on purpose");
    assertThat(tensor.toLongArray()).containsExactly(42, 0);
    assertThat(memory.isMovable()).isTrue();
    assertThatThrownBy(() -> memory.move(bytes.asSlice(0, 16), broken)).hasMessage("on purpose");
    assertThat(memory.isMovable()).isFalse();
    assertThatThrownBy(tensor::toLongArray).isInstanceOf(IllegalStateException.class).hasMessageContaining("lost")
      .hasRootCauseMessage("on purpose");
    assertThatThrownBy(tensor::segment).hasMessageContaining("lost");
    assertThatThrownBy(() -> memory.beginUse(DeviceId.CPU)).hasMessageContaining("lost");
    tensor.close();
  }

  /** The reader stands for a thread that is in a native call with the segment. */
  @Test
  void aReaderOfOneTensorKeepsOnlyThatOneOpen() throws Throwable {
    var released = new ArrayList<String>();
    Tensor first = owned(() -> released.add("first"));
    Tensor second = owned(() -> released.add("second"));
    Tensor third = owned(() -> released.add("third"));
    first.segment();
    MemorySegment read = second.segment();
    duringNativeCall(read, () -> assertThatThrownBy(() -> Tensor.closeAll(List.of(first, second, third))).isInstanceOf(
      IllegalStateException.class));
    assertThat(released).containsExactly("first", "third");
    assertThat(second.segment().address()).isEqualTo(read.address());
    assertThatThrownBy(first::segment).hasMessageContaining("closed");
    Tensor.closeAll(List.of(first, second, third));
    assertThat(released).containsExactly("first", "third", "second");
    assertThatThrownBy(first::close).hasMessageContaining("closed twice");
  }

  @Test
  void memoryThatCannotGoBackKeepsNoOther() {
    var released = new ArrayList<String>();
    Tensor first = owned(() -> {
      throw new UnsupportedOperationException("on purpose");
    });
    Tensor second = owned(() -> released.add("second"));
    assertThatThrownBy(() -> Tensor.closeAll(List.of(first, second))).hasMessage("on purpose");
    assertThat(released).containsExactly("second");
    assertThatThrownBy(() -> Tensor.closeAll(List.of(first, second))).as("what failed is not tried again")
      .isInstanceOf(Ownership.Refused.class);
    assertThat(released).containsExactly("second");
  }

  private static Tensor owned(Runnable release) {
    return new Tensor(TensorMemory.owned(LocatedView.onHost(inNativeMemory(1, 2)), release));
  }

  /** The C library sorts the two elements of the segment; what compares them runs the work. */
  private static void duringNativeCall(MemorySegment segment, Runnable work) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle compare = MethodHandles.insertArguments(MethodHandles.lookup().findStatic(TensorTest.class, "compare",
      MethodType.methodType(int.class, Runnable.class, MemorySegment.class, MemorySegment.class)), 0, work);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stub = linker.upcallStub(compare, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
        ValueLayout.ADDRESS), arena);
      linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS,
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS)).invokeExact(segment, 2L, 8L, stub);
    }
  }

  @SuppressWarnings("unused") // by its handle
  private static int compare(Runnable work, MemorySegment left, MemorySegment right) {
    work.run();
    return 0;
  }
}
