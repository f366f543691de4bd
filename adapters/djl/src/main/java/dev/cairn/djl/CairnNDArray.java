package dev.cairn.djl;

import ai.djl.ndarray.BaseNDManager;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrayAdapter;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.internal.NDArrayEx;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** An array in native memory. Functions beyond those here need another engine on the class path. */
final class CairnNDArray extends NDArrayAdapter {
  private @Nullable ByteBuffer bytes;

  CairnNDArray(CairnNDManager manager, @Nullable NDManager others, ByteBuffer bytes, Shape shape, DataType dataType) {
    super(manager, others, shape, dataType, UUID.randomUUID().toString());
    this.bytes = bytes;
    manager.attachInternal(uid, this);
  }

  private ByteBuffer bytes() {
    ByteBuffer open = bytes;
    if (open == null) {
      throw new IllegalStateException("the array is closed: shape=%s type=%s".formatted(shape, dataType));
    }
    return open.duplicate().order(ByteOrder.nativeOrder()).rewind();
  }

  /** The same memory as a tensor. */
  Tensor tensor() {
    return Tensor.wrap(MemorySegment.ofBuffer(bytes()), ArrayTypes.of(dataType), shape.getShape());
  }

  @Override
  public ByteBuffer toByteBuffer(boolean tryDirect) {
    return bytes();
  }

  @Override
  public void set(Buffer data) {
    BaseNDManager.copyBuffer(data, bytes());
  }

  @Override
  public String[] toStringArray(Charset charset) {
    throw ArrayTypes.refused(DataType.STRING);
  }

  @Override
  public void intern(NDArray replaced) {
    var other = (CairnNDArray) replaced;
    bytes = other.bytes();
    shape = other.shape;
    dataType = other.dataType;
    other.close();
  }

  @Override
  public void detach() {
    manager.detachInternal(uid);
    manager = CairnNDManager.SYSTEM;
  }

  @Override
  public NDArray duplicate() {
    CairnNDArray copy = own().create(bytes(), shape, dataType);
    copy.setName(getName());
    return copy;
  }

  private CairnNDManager own() {
    return (CairnNDManager) manager;
  }

  private CairnNDArray viewed(ByteBuffer part, long... extents) {
    return own().over(part, new Shape(extents), dataType);
  }

  @Override
  public NDArray reshape(Shape wanted) {
    long[] extents = wanted.getShape().clone();
    long known = Arrays.stream(extents).filter(it -> it != -1).reduce(1, (a, b) -> a * b);
    for (int i = 0; i < extents.length; i++) {
      extents[i] = extents[i] == -1 && known != 0 ? shape.size() / known : extents[i];
    }
    if (new Shape(extents).size() != shape.size()) {
      throw new IllegalArgumentException("an array cannot have this shape: shape=%s wanted=%s".formatted(shape,
        wanted));
    }
    return viewed(bytes(), extents);
  }

  @Override
  public NDArray flatten() {
    return viewed(bytes(), shape.size());
  }

  @Override
  public NDArray expandDims(int axis) {
    int at = axis < 0 ? axis + shape.dimension() + 1 : axis;
    return viewed(bytes(), shape.slice(0, at).add(1).addAll(shape.slice(at)).getShape());
  }

  @Override
  public NDArray squeeze(int[] axes) {
    long[] gone = Arrays.stream(axes).mapToLong(it -> it < 0 ? it + shape.dimension() : it).toArray();
    if (Arrays.stream(gone).anyMatch(it -> shape.get((int) it) != 1)) {
      throw new IllegalArgumentException("only axes of extent 1 can go: shape=%s axes=%s".formatted(shape, Arrays
        .toString(axes)));
    }
    return viewed(bytes(), LongStream.range(0, shape.dimension()).filter(it -> Arrays.stream(gone).noneMatch(
      axis -> axis == it)).map(it -> shape.get((int) it)).toArray());
  }

  /** Along the first axis, without a copy; along others by another engine. */
  @Override
  public NDList split(long[] indices, int axis) {
    if (axis != 0) {
      return super.split(indices, axis);
    }
    long row = shape.get(0) == 0 ? 0 : shape.size() / shape.get(0) * dataType.getNumOfBytes();
    var parts = new NDList();
    for (int i = 0; i <= indices.length; i++) {
      long from = i == 0 ? 0 : indices[i - 1];
      long to = i == indices.length ? shape.get(0) : indices[i];
      parts.add(viewed(bytes().slice((int) (from * row), (int) ((to - from) * row)), new Shape(to - from).addAll(shape
        .slice(1)).getShape()));
    }
    return parts;
  }

  @Override
  public NDList split(long sections, int axis) {
    if (axis != 0 || shape.get(0) % sections != 0) {
      return super.split(sections, axis);
    }
    long size = shape.get(0) / sections;
    return split(LongStream.range(1, sections).map(it -> it * size).toArray(), 0);
  }

  /** Computes floats along the last axis here; another engine computes the rest. */
  @Override
  public NDArray softmax(int axis) {
    int at = axis < 0 ? axis + shape.dimension() : axis;
    if (dataType != DataType.FLOAT32 || at != shape.dimension() - 1) {
      return super.softmax(axis);
    }
    float[] values = toFloatArray();
    int width = Math.toIntExact(shape.get(at));
    for (int from = 0; from < values.length; from += width) {
      float most = Float.NEGATIVE_INFINITY;
      for (int i = from; i < from + width; i++) {
        most = Math.max(most, values[i]);
      }
      double sum = 0;
      for (int i = from; i < from + width; i++) {
        sum += Math.exp(values[i] - most);
      }
      for (int i = from; i < from + width; i++) {
        values[i] = (float) (Math.exp(values[i] - most) / sum);
      }
    }
    return own().create(FloatBuffer.wrap(values), shape, dataType);
  }

  @Override
  public NDArrayEx getNDArrayInternal() {
    return alternativeManager == null ? StackedArrays.of(this) : super.getNDArrayInternal();
  }

  @Override
  public void close() {
    bytes = null;
    super.close();
  }
}
