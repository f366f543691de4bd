package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.ByteString;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.proto.TensorProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Tensors of a file as views. Raw and external bytes stay where they are, mapped; the typed fields, which the file
 * packs in its own way, are unpacked to the heap. Bytes are those of a little-endian machine, in the file as in
 * memory.
 */
final class TensorDecoder {
  private final ModelMessage source;
  private final ExternalData external;

  TensorDecoder(ModelMessage source) {
    this.source = source;
    this.external = new ExternalData(source);
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalStateException("ONNX files are read on little-endian machines only");
    }
  }

  /**
   * The missing feature for which Cairn cannot hold elements of this type; empty when it can, or when there is none,
   * which is an error.
   */
  static Optional<String> missing(long elementType) {
    return elementType == 0 || ElementTypes.find(elementType).isPresent()
      ? Optional.empty()
      : Optional.of("element type " + ElementTypes.name(elementType));
  }

  static Optional<String> missing(TensorProto tensor) {
    return tensor.hasSegment() ? Optional.of("a tensor in several pieces") : missing(tensor.getDataType());
  }

  TensorView decode(TensorProto tensor) {
    TensorType type = type(tensor);
    if (type.dtype() == DType.STRING) {
      return strings(tensor, type);
    }
    MemorySegment bytes = bytes(tensor, type);
    if (bytes.byteSize() != type.bytes()) {
      throw source.invalid("a tensor's bytes and type differ: tensor=%s type=%s wantedBytes=%d bytes=%d"
        .formatted(tensor.getName(), type, type.bytes(), bytes.byteSize()));
    }
    if (type.dtype() == DType.BOOL) {
      requireBooleans(tensor, bytes);
    }
    return new TensorView(type, bytes);
  }

  private TensorView strings(TensorProto tensor, TensorType type) {
    if (tensor.getStringDataCount() != type.shape().elementCount()) {
      throw source.invalid("a tensor's elements and type differ: tensor=%s type=%s wantedElements=%d elements=%d"
        .formatted(tensor.getName(), type, type.shape().elementCount(), tensor.getStringDataCount()));
    }
    if (!tensor.getStringDataList().stream().allMatch(ByteString::isValidUtf8)) {
      throw source.invalid("a string is not UTF-8: tensor=" + tensor.getName());
    }
    return StringElements.of(type.shape(), tensor.getStringDataList().stream().map(ByteString::toStringUtf8).toList());
  }

  private TensorType type(TensorProto tensor) {
    DType dtype = ElementTypes.find(tensor.getDataType())
      .orElseThrow(() -> source.invalid("a tensor has no element type: tensor=" + tensor.getName()));
    return type(dtype, tensor.getDimsList(), tensor.getName());
  }

  /** @throws dev.cairn.runtime.session.InvalidModel when no address space holds such a tensor */
  TensorType type(DType dtype, List<Long> dimensions, String name) {
    try {
      long[] extents = dimensions.stream().mapToLong(Long::longValue).toArray();
      var type = new TensorType(dtype, Shape.of(extents));
      if (type.bytes() > Long.MAX_VALUE / 2) {
        throw new ArithmeticException("too many bytes for an address space");
      }
      return type;
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw source.invalid("a tensor has an invalid shape: tensor=%s extents=%s".formatted(name, dimensions));
    }
  }

  private MemorySegment bytes(TensorProto tensor, TensorType type) {
    if (tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
      return external.bytes(tensor, type.bytes());
    }
    if (!tensor.hasRawData()) {
      return unpacked(tensor, type);
    }
    RawPlace raw = RawPlace.of(tensor.getRawData());
    return raw.bytes() == 0 ? unpacked(tensor, type) : source.bytes().asSlice(raw.offset(), raw.bytes());
  }

  private MemorySegment unpacked(TensorProto tensor, TensorType type) {
    int given = switch (type.dtype()) {
      case FLOAT32 -> tensor.getFloatDataCount();
      case FLOAT64 -> tensor.getDoubleDataCount();
      case INT64 -> tensor.getInt64DataCount();
      case UINT32, UINT64 -> tensor.getUint64DataCount();
      case STRING -> throw new AssertionError("strings are not packed");
      default -> tensor.getInt32DataCount();
    };
    // One number holds all elements of a byte.
    long wanted = Math.ceilDiv(type.shape().elementCount(), (long) type.dtype().perByte());
    if (given != wanted) {
      throw source.invalid("a tensor's elements and type differ: tensor=%s type=%s wantedElements=%d elements=%d"
        .formatted(tensor.getName(), type, wanted, given));
    }
    if (type.bytes() > Integer.MAX_VALUE - 8) {
      throw source.invalid("so large a tensor must use raw bytes: tensor=%s type=%s".formatted(tensor.getName(), type));
    }
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) type.bytes()]);
    for (int i = 0; i < given; i++) {
      unpack(tensor, type.dtype(), i, bytes);
    }
    return bytes;
  }

  private static void unpack(TensorProto tensor, DType dtype, int i, MemorySegment to) {
    long at = dtype.isPacked() ? i : (long) i * dtype.bytes();
    switch (dtype) {
      case FLOAT32 -> to.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, tensor.getFloatData(i));
      case FLOAT64 -> to.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, tensor.getDoubleData(i));
      case INT64 -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, at, tensor.getInt64Data(i));
      case UINT64 -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, at, tensor.getUint64Data(i));
      case UINT32 -> to.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) tensor.getUint64Data(i));
      case INT32 -> to.set(ValueLayout.JAVA_INT_UNALIGNED, at, tensor.getInt32Data(i));
      case INT16, UINT16, FLOAT16, BFLOAT16 ->
        to.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) tensor.getInt32Data(i));
      case STRING -> throw new AssertionError("strings are not packed");
      default -> to.set(ValueLayout.JAVA_BYTE, at, (byte) tensor.getInt32Data(i));
    }
  }

  /** Kernels rely on it that a boolean is 0 or 1. */
  private void requireBooleans(TensorProto tensor, MemorySegment bytes) {
    for (long i = 0; i < bytes.byteSize(); i++) {
      byte value = bytes.get(ValueLayout.JAVA_BYTE, i);
      if (value != 0 && value != 1) {
        throw source.invalid("a boolean is neither 0 nor 1: tensor=%s element=%d value=%d".formatted(tensor.getName(),
          i,
          value));
      }
    }
  }
}
