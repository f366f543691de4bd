package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.SparseTensorProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Sparse tensors of a file as dense ones. Small tensors become constants. Larger ones become nodes that put the values
 * among zeros; constant folding computes them when a session places its weights, within the session's memory limit:
 *
 * <pre>
 * w/zeros = ConstantOfShape{value=0}(w/shape)
 * w       = ScatterND(w/zeros, w/indices, w/values)
 * </pre>
 */
final class SparseTensorDecoder {
  /** Dense tensors up to this size become constants at once. */
  static final long SMALL_BYTES = 64 << 10;
  /** The most bytes of dense tensors that no kernel scatters, such as strings. */
  static final long MOST_UNSCATTERED_BYTES = 64 << 20;

  /** The most numbers in a list of indices, which lies on the heap. */
  private static final long MOST_INDICES = 1L << 28;

  private final ModelMessage source;
  private final TensorDecoder tensors;
  private final UniqueNames names;

  SparseTensorDecoder(ModelMessage source, TensorDecoder tensors, UniqueNames names) {
    this.source = source;
    this.tensors = tensors;
    this.names = names;
  }

  /** The name of a sparse tensor: that of its values. */
  static String name(SparseTensorProto tensor) {
    return tensor.getValues().getName();
  }

  /**
   * The node whose only result is the dense tensor.
   *
   * @param name of the node, which no other node has
   * @param isReplaceable whether callers may give another value: such a tensor is a constant, if it can be
   * @throws dev.cairn.runtime.session.InvalidModel when values, indices and shape do not fit each other
   */
  Node decode(SparseTensorProto tensor, String name, boolean isReplaceable) {
    TensorView values = tensors.decode(tensor.getValues());
    TensorType type = type(tensor, values, name);
    long[] places = places(tensor, type.shape(), values.elementCount(), name);
    boolean isScattered = DType.COMPUTED.contains(type.dtype());
    long bytes = type.dtype() == DType.STRING
      ? DType.INT64.bytes(type.shape().elementCount())
      : type.bytes();
    if (bytes <= SMALL_BYTES || (bytes <= MOST_UNSCATTERED_BYTES && (isReplaceable || !isScattered))) {
      return Node.constant(name, dense(type, places, values));
    }
    if (!isScattered) {
      throw source
        .invalid("a sparse tensor of such elements is too large: tensor=%s type=%s bytes=%d most=%d".formatted(
          name, type, bytes, MOST_UNSCATTERED_BYTES));
    }
    return scattered(type, indices(tensor, places, type.shape(), name), values, name);
  }

  private TensorType type(SparseTensorProto tensor, TensorView values, String name) {
    if (values.shape().rank() != 1) {
      throw source.invalid("a sparse tensor's values need one axis: tensor=%s type=%s".formatted(name, values.type()));
    }
    if (tensor.getDimsCount() == 0) {
      throw source.invalid("a sparse tensor needs an axis: tensor=" + name);
    }
    return tensors.type(values.dtype(), tensor.getDimsList(), name);
  }

  /** Where each value stands in row-major order: ascending, none twice. */
  private long[] places(SparseTensorProto tensor, Shape dense, long count, String name) {
    if (count == 0) {
      return new long[0];
    }
    TensorView indices = tensors.decode(tensor.getIndices());
    boolean isSigned = indices.dtype().isInteger() && !indices.dtype().isUnsigned();
    boolean isLinear = indices.shape().equals(Shape.of(count));
    if (!isSigned || (!isLinear && !indices.shape().equals(Shape.of(count, dense.rank())))) {
      throw source.invalid("a sparse tensor's indices are int64[%d] or int64[%dx%d]: tensor=%s indices=%s".formatted(
        count, count, dense.rank(), name, indices.type()));
    }
    long[] places = new long[Math.toIntExact(count)];
    for (int i = 0; i < places.length; i++) {
      places[i] = isLinear ? indices.longAt(i) : place(indices, i, dense, name);
      if (places[i] < 0 || places[i] >= dense.elementCount()) {
        throw source.invalid("a sparse tensor's index is out of range: tensor=%s value=%d index=%d elements=%d"
          .formatted(name, i, places[i], dense.elementCount()));
      }
      if (i > 0 && places[i] <= places[i - 1]) {
        throw source.invalid("a sparse tensor's indices must ascend, none twice: tensor=%s value=%d index=%d before=%d"
          .formatted(name, i, places[i], places[i - 1]));
      }
    }
    return places;
  }

  private long place(TensorView indices, int value, Shape dense, String name) {
    long place = 0;
    for (int axis = 0; axis < dense.rank(); axis++) {
      long index = indices.longAt((long) value * dense.rank() + axis);
      if (index < 0 || index >= dense.extent(axis)) {
        throw source.invalid("a sparse tensor's index is out of range: tensor=%s value=%d axis=%d index=%d extent=%d"
          .formatted(name, value, axis, index, dense.extent(axis)));
      }
      place = place * dense.extent(axis) + index;
    }
    return place;
  }

  private static TensorView dense(TensorType type, long[] places, TensorView values) {
    if (type.dtype() == DType.STRING) {
      String[] all = Collections.nCopies(Math.toIntExact(type.shape().elementCount()), "").toArray(String[]::new);
      for (int i = 0; i < places.length; i++) {
        all[(int) places[i]] = StringElements.at(values, i);
      }
      return StringElements.of(type.shape(), Arrays.asList(all));
    }
    MemorySegment dense = MemorySegment.ofArray(new byte[Math.toIntExact(type.bytes())]);
    for (int i = 0; i < places.length; i++) {
      put(type.dtype(), values.segment(), i, dense, places[i]);
    }
    return new TensorView(type, dense);
  }

  private static void put(DType dtype, MemorySegment from, long value, MemorySegment to, long place) {
    if (!dtype.isPacked()) {
      MemorySegment.copy(from, value * dtype.bytes(), to, place * dtype.bytes(), dtype.bytes());
      return;
    }
    int perByte = dtype.perByte();
    int shifted = from.get(ValueLayout.JAVA_BYTE, value / perByte) >> (value % perByte * dtype.bits());
    int bits = shifted & ((1 << dtype.bits()) - 1);
    int before = to.get(ValueLayout.JAVA_BYTE, place / perByte);
    to.set(ValueLayout.JAVA_BYTE, place / perByte, (byte) (before | (bits << (place % perByte * dtype.bits()))));
  }

  /** One index for each axis of each value: those of the file, where it has this form. */
  private TensorView indices(SparseTensorProto tensor, long[] places, Shape dense, String name) {
    TensorType wanted = TensorType.of(DType.INT64, places.length, dense.rank());
    if (places.length > 0 && tensor.getIndices().getDimsCount() == 2
      && tensor.getIndices().getDataType() == ElementTypes
        .number(DType.INT64)) {
      return tensors.decode(tensor.getIndices());
    }
    if (wanted.shape().elementCount() > MOST_INDICES) {
      throw source.invalid("a sparse tensor has too many indices: tensor=%s indices=%s most=%d".formatted(name, wanted,
        MOST_INDICES));
    }
    long[] all = new long[(int) wanted.shape().elementCount()];
    for (int i = 0; i < places.length; i++) {
      long rest = places[i];
      for (int axis = dense.rank() - 1; axis >= 0; axis--) {
        all[i * dense.rank() + axis] = rest % dense.extent(axis);
        rest /= dense.extent(axis);
      }
    }
    return new TensorView(wanted, MemorySegment.ofArray(all));
  }

  private Node scattered(TensorType type, TensorView indices, TensorView values, String name) {
    DType dtype = type.dtype();
    var zero = new TensorView(TensorType.of(dtype, 1), MemorySegment.ofArray(new byte[dtype.bytes()]));
    Node zeros = Node.apply(names.take(name + "/zeros"), Operators.CONSTANT_OF_SHAPE, Attributes.NONE.with("value",
      new AttributeValue.Tensor(zero)),
      List.of(constant(name + "/shape", TensorView.ofLongs(type.shape().extents()))
        .entry()));
    return Node.apply(name, "ScatterND", Attributes.NONE, List.of(zeros.entry(), constant(name + "/indices", indices)
      .entry(), constant(name + "/values", values).entry()));
  }

  private Node constant(String name, TensorView value) {
    return Node.constant(names.take(name), value);
  }
}
