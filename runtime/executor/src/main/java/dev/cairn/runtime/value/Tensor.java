package dev.cairn.runtime.value;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An input or output of a model: dense, row-major, in native memory and the host's byte order. The caller closes each
 * tensor that it creates; a {@link Result} closes its own. {@code of} copies its values once, and the garbage collector
 * also reclaims the tensor; {@code wrap} copies nothing. Both throw {@link IllegalArgumentException} when the values do
 * not fill the shape exactly, and so do {@code to...Array} methods for another element type than theirs. Several runs
 * may read one tensor concurrently. For netty's buffers, see {@link NettyTensors}.
 */
public final class Tensor implements Value, AutoCloseable {
  private final TensorMemory memory;
  /** The result that owns this tensor; null if the caller owns it. This field keeps the result reachable. */
  private final @Nullable Result owner;

  Tensor(TensorMemory memory) {
    this(memory, null);
  }

  private Tensor(TensorMemory memory, @Nullable Result owner) {
    this.memory = memory;
    this.owner = owner;
  }

  /** This tensor with {@code result} as its owner: the result closes it and stays reachable with it. */
  Tensor ownedBy(Result result) {
    return new Tensor(memory, result);
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

  /**
   * A tensor of floats, or of a {@linkplain DType#isNarrow() narrow} type, with {@code values} in row-major order
   * rounded to the nearest number of that type; for {@code float32} a copy.
   */
  public static Tensor of(float[] values, DType dtype, long... shape) {
    return dtype == DType.FLOAT32
      ? of(values, shape)
      : copied(dtype, NarrowValues.packed(values, dtype), values.length, shape);
  }

  /** A {@code float64} tensor, copied from {@code values} in row-major order. */
  public static Tensor of(double[] values, long... shape) {
    return copied(DType.FLOAT64, MemorySegment.ofArray(values), values.length, shape);
  }

  /** An {@code int16} tensor, copied from {@code values} in row-major order. */
  public static Tensor of(short[] values, long... shape) {
    return copied(DType.INT16, MemorySegment.ofArray(values), values.length, shape);
  }

  /** A list of strings. */
  public static Tensor of(String... values) {
    return of(values, values.length);
  }

  /** A {@code string} tensor, from {@code values} in row-major order. It lies on the Java heap. */
  public static Tensor of(String[] values, long... shape) {
    return new Tensor(TensorMemory.kept(StringElements.of(Shape.of(shape), Arrays.asList(values))));
  }

  /** A {@code bool} tensor, copied from {@code values} in row-major order. */
  public static Tensor of(boolean[] values, long... shape) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return of(bytes, DType.BOOL, shape);
  }

  /**
   * A tensor of any element type, copied from its bytes in row-major order and the host's byte order. Elements of fewer
   * than 8 bits share bytes: the first has the low bits.
   */
  public static Tensor of(byte[] bytes, DType dtype, long... shape) {
    if (dtype == DType.STRING) {
      throw new IllegalArgumentException("strings have no fixed size: use Tensor.of(String[], long...)");
    }
    TensorType type = TensorType.of(dtype, shape);
    if (type.bytes() != bytes.length) {
      throw new IllegalArgumentException("bytes and shape differ: type=%s wantedBytes=%d bytes=%d".formatted(type, type
        .bytes(), bytes.length));
    }
    return filled(type, memory -> memory.copyFrom(MemorySegment.ofArray(bytes)));
  }

  /** A tensor of a {@linkplain DType#isNarrow() narrow} type, which must have each of these numbers. */
  public static Tensor of(int[] values, DType dtype, long... shape) {
    return copied(dtype, NarrowValues.packed(values, dtype), values.length, shape);
  }

  /**
   * Copies what remains in a buffer of float, double, long, int or short, in any byte order; its position stays. A
   * ByteBuffer or CharBuffer is refused: give bytes with their type.
   */
  public static Tensor of(Buffer values, long... shape) {
    BufferElements elements = BufferElements.of(values);
    return filled(checked(TensorType.of(elements.dtype(), shape), values.remaining()), elements::copyTo);
  }

  /** Like {@link #of(byte[], DType, long...)}, from what remains in the buffer; its position stays. */
  public static Tensor of(ByteBuffer bytes, DType dtype, long... shape) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return of(copy, dtype, shape);
  }

  /**
   * A tensor with the elements and the shape of a nested array, such as {@code float[][]} or {@code long[][][]}.
   *
   * @throws IllegalArgumentException when rows differ in length, or elements are not float, double, long, int, short,
   *   byte (then {@code int8}), boolean or String
   */
  public static Tensor ofNested(Object array) {
    return NestedArray.tensor(array);
  }

  /** A tensor with a copy of the view's elements, of any element type. */
  public static Tensor copyOf(TensorView view) {
    if (view.dtype() == DType.STRING) {
      return of(StringElements.toArray(view), view.shape().extents());
    }
    return copied(view.dtype(), view.segment(), view.elementCount(), view.shape().extents());
  }

  /**
   * A tensor over the caller's memory, without a copy. The memory must stay alive and unchanged until the tensor is
   * closed.
   *
   * @param memory native memory of exactly the tensor's size that every thread may read, such as from {@code
   *   Arena.ofShared}, {@code Arena.ofAuto} or a mapped file; not from {@code Arena.ofConfined}
   */
  public static Tensor wrap(MemorySegment memory, DType dtype, long... shape) {
    return new Tensor(TensorMemory.wrapped(memory, TensorType.of(dtype, shape)));
  }

  /** A tensor whose memory, of zeros, {@code filler} fills first. */
  static Tensor filled(TensorType type, Consumer<MemorySegment> filler) {
    return new Tensor(TensorMemory.filled(type, filler));
  }

  private static Tensor copied(DType dtype, MemorySegment values, long count, long... shape) {
    return filled(checked(TensorType.of(dtype, shape), count), memory -> memory.copyFrom(values));
  }

  private static TensorType checked(TensorType type, long count) {
    if (type.shape().elementCount() != count) {
      throw new IllegalArgumentException("values and shape differ: shape=%s elements=%d values=%d"
        .formatted(type.shape(), type.shape().elementCount(), count));
    }
    return type;
  }

  public TensorType type() {
    return memory.type();
  }

  public DType dtype() {
    return type().dtype();
  }

  public Shape shape() {
    return type().shape();
  }

  /** Whether the elements are in GPU memory. Then the first access from the host copies them. */
  public boolean isOnDevice() {
    return memory.located().isOnDevice();
  }

  /**
   * The elements, without a copy unless they are on a GPU. Do not use the view after closing the tensor: access to
   * memory of a closed result or buffer throws. Keep the tensor, or the result that owns it, reachable meanwhile.
   *
   * @throws IllegalStateException when closed
   */
  public TensorView view() {
    return memory.view();
  }

  /** The bytes, without a copy; see {@link #view}. */
  public MemorySegment segment() {
    return view().segment();
  }

  /** A copy of the elements of a tensor of up to 32 bits a float, or of a narrow type, in row-major order. */
  public float[] toFloatArray() {
    DType wanted = dtype().isHalf() || dtype().isNarrow() ? dtype() : DType.FLOAT32;
    return copied(wanted, memory -> NarrowValues.floats(type(), memory));
  }

  /** A copy of a {@code float64} tensor's elements, in row-major order. */
  public double[] toDoubleArray() {
    return copied(DType.FLOAT64, memory -> memory.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED));
  }

  /** A copy of the bytes of a tensor of any element type, in row-major order and the host's byte order. */
  public byte[] toByteArray() {
    return copied(dtype(), memory -> memory.toArray(ValueLayout.JAVA_BYTE));
  }

  /** A copy of an {@code int64} tensor's elements, in row-major order. */
  public long[] toLongArray() {
    return copied(DType.INT64, memory -> memory.toArray(ValueLayout.JAVA_LONG_UNALIGNED));
  }

  /** A copy of the elements of an {@code int32} tensor, or of integers of fewer than 8 bits, in row-major order. */
  public int[] toIntArray() {
    return copied(dtype().isNarrowInteger() ? dtype() : DType.INT32, memory -> NarrowValues.ints(type(), memory));
  }

  private void requireType(DType wanted) {
    if (dtype() != wanted) {
      throw new IllegalArgumentException("wrong element type: wanted=%s tensor=%s".formatted(wanted, type()));
    }
  }

  private <T> T copied(DType wanted, Function<MemorySegment, T> copier) {
    requireType(wanted);
    try {
      return memory.read(copier);
    } finally {
      // This call may be the last use of an output. Until it ends, the collector must not find the result unreachable.
      Reference.reachabilityFence(this);
    }
  }

  /** The elements of a {@code string} tensor, in row-major order. */
  public String[] toStringArray() {
    requireType(DType.STRING);
    return StringElements.toArray(view());
  }

  @Override
  public List<Tensor> tensors() {
    return List.of(this);
  }

  /** The tensor's memory, for a run to use. */
  TensorMemory memory() {
    return memory;
  }

  /**
   * Closes the tensor.
   *
   * @throws IllegalStateException when already closed, while a run reads it, or when a result owns it; then it stays
   *   open
   */
  @Override
  public void close() {
    if (owner != null) {
      throw new IllegalStateException("close the result instead of its output: type=" + type());
    }
    closeAll(List.of(this));
  }

  /**
   * Closes all of these tensors; none if a run reads one, and all others if a caller reads a segment of one.
   *
   * @throws IllegalStateException when one is already closed, or a run reads it
   */
  static void closeAll(Collection<Tensor> tensors) {
    TensorMemory.closeAll(tensors.stream().map(Tensor::memory).toList());
  }

  /** Closes each of these tensors when nothing reads it any more. */
  static void abandonAll(Collection<Tensor> tensors) {
    tensors.forEach(it -> it.memory().abandon());
  }

  @Override
  public String toString() {
    return "tensor " + type();
  }
}
