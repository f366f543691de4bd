package dev.cairn.runtime;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A value that goes into a model or comes out: dense, row-major, in native memory and the host's byte order. Whoever
 * makes a tensor closes it; tensors of a {@link Result} are closed with it. Tensors made by {@code of} copy the array
 * once and are also reclaimed with the garbage; tensors made by {@code wrap} copy nothing. Several runs may read one
 * tensor at a time.
 */
public final class Tensor implements AutoCloseable {
  private static final int CLOSED = -1;

  private final TensorView view;
  private final Runnable release;
  /** Runs that read the tensor now, or {@link #CLOSED}. */
  private final AtomicInteger uses = new AtomicInteger();

  private Tensor(TensorView view, Runnable release) {
    this.view = view;
    this.release = release;
  }

  /** A tensor over memory that {@code release} gives back. */
  static Tensor owning(TensorView view, Runnable release) {
    return new Tensor(view, release);
  }

  /** A {@code float32} tensor, copied from {@code values} in row-major order. */
  public static Tensor of(float[] values, long... shape) {
    return copied(DType.FLOAT32, MemorySegment.ofArray(values), values.length, shape);
  }

  /** An {@code int64} tensor, copied from {@code values} in row-major order. */
  public static Tensor of(long[] values, long... shape) {
    return copied(DType.INT64, MemorySegment.ofArray(values), values.length, shape);
  }

  /** An {@code int32} tensor, copied from {@code values} in row-major order. */
  public static Tensor of(int[] values, long... shape) {
    return copied(DType.INT32, MemorySegment.ofArray(values), values.length, shape);
  }

  /** A copy of a view, whatever its element type and wherever its bytes are. */
  public static Tensor copyOf(TensorView view) {
    return copied(view.dtype(), view.segment(), view.elementCount(), view.shape().extents());
  }

  /**
   * A tensor over the caller's memory, which is not copied and must stay alive and unchanged until the tensor is
   * closed.
   *
   * @param memory native memory of exactly the tensor's bytes
   */
  public static Tensor wrap(MemorySegment memory, DType dtype, long... shape) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException("not native memory: use Tensor.of for Java arrays: memory=" + memory);
    }
    return new Tensor(new TensorView(TensorType.of(dtype, shape), memory), () -> {});
  }

  /**
   * A tensor over the readable bytes of a direct buffer, which are not copied. Retains the buffer; closing releases it.
   *
   * @param buffer direct, with exactly the tensor's bytes readable, in the host's byte order
   */
  public static Tensor wrap(ByteBuf buffer, DType dtype, long... shape) {
    if (!buffer.isDirect() || buffer.nioBufferCount() != 1) {
      throw new IllegalArgumentException("not one direct buffer: buffer=" + buffer);
    }
    var memory = MemorySegment.ofBuffer(buffer.nioBuffer());
    var view = new TensorView(TensorType.of(dtype, shape), memory);
    buffer.retain();
    return new Tensor(view, buffer::release);
  }

  private static Tensor copied(DType dtype, MemorySegment values, long count, long... shape) {
    TensorType type = TensorType.of(dtype, shape);
    if (type.shape().elementCount() != count) {
      throw new IllegalArgumentException("values and shape differ: shape=%s elements=%d values=%d"
        .formatted(type.shape(), type.shape().elementCount(), count));
    }
    MemorySegment memory = Arena.ofAuto().allocate(type.bytes(), 64);
    memory.copyFrom(values);
    return new Tensor(new TensorView(type, memory), () -> {});
  }

  public TensorType type() {
    return view.type();
  }

  public DType dtype() {
    return view.dtype();
  }

  public Shape shape() {
    return view.shape();
  }

  /**
   * The elements where they lie, without a copy; not to be used after closing.
   *
   * @throws IllegalStateException when closed
   */
  public TensorView view() {
    if (uses.get() == CLOSED) {
      throw new IllegalStateException("tensor is closed: type=" + view.type());
    }
    return view;
  }

  /** The bytes where they lie; see {@link #view}. */
  public MemorySegment segment() {
    return view().segment();
  }

  /** A copy of a {@code float32} tensor's elements, in row-major order. */
  public float[] toFloatArray() {
    return require(DType.FLOAT32).segment().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  /** A copy of an {@code int64} tensor's elements, in row-major order. */
  public long[] toLongArray() {
    return require(DType.INT64).segment().toArray(ValueLayout.JAVA_LONG_UNALIGNED);
  }

  /** A copy of an {@code int32} tensor's elements, in row-major order. */
  public int[] toIntArray() {
    return require(DType.INT32).segment().toArray(ValueLayout.JAVA_INT_UNALIGNED);
  }

  private TensorView require(DType wanted) {
    if (dtype() != wanted) {
      throw new IllegalArgumentException("another element type: wanted=%s tensor=%s".formatted(wanted, type()));
    }
    return view();
  }

  /** Keeps the tensor from being closed until {@link #endUse}. */
  TensorView beginUse() {
    if (uses.getAndUpdate(n -> n == CLOSED ? CLOSED : n + 1) == CLOSED) {
      throw new IllegalStateException("tensor is closed: type=" + view.type());
    }
    return view;
  }

  void endUse() {
    uses.decrementAndGet();
  }

  void requireIdle() {
    if (uses.get() > 0) {
      throw new IllegalStateException("a run reads the tensor now: type=" + view.type());
    }
  }

  /** @throws IllegalStateException when closed before, or while a run reads it; it stays open then */
  @Override
  public void close() {
    if (!uses.compareAndSet(0, CLOSED)) {
      String why = uses.get() == CLOSED ? "closed twice" : "a run reads it now";
      throw new IllegalStateException("tensor cannot be closed: %s: type=%s".formatted(why, view.type()));
    }
    release.run();
  }

  @Override
  public String toString() {
    return "tensor " + view.type();
  }
}
