package dev.cairn.djl;

import ai.djl.ndarray.types.DataType;
import dev.cairn.kernels.tensor.DType;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;

/** DJL's element types and Cairn's. */
final class ArrayTypes {
  private static final Map<DataType, DType> CAIRNS = Map.ofEntries(Map.entry(DataType.FLOAT32, DType.FLOAT32),
    Map.entry(DataType.FLOAT64, DType.FLOAT64), Map.entry(DataType.FLOAT16, DType.FLOAT16), Map.entry(
      DataType.BFLOAT16, DType.BFLOAT16),
    Map.entry(DataType.INT8, DType.INT8), Map.entry(DataType.UINT8, DType.UINT8),
    Map.entry(DataType.INT16, DType.INT16), Map.entry(DataType.UINT16, DType.UINT16), Map.entry(DataType.INT32,
      DType.INT32),
    Map.entry(DataType.UINT32, DType.UINT32), Map.entry(DataType.INT64, DType.INT64), Map.entry(
      DataType.UINT64, DType.UINT64),
    Map.entry(DataType.BOOLEAN, DType.BOOL));
  private static final Map<DType, DataType> DJLS = CAIRNS.entrySet().stream().collect(Collectors.toMap(Entry::getValue,
    Entry::getKey));

  private ArrayTypes() {}

  /** @throws UnsupportedOperationException when arrays of Cairn's engine cannot have this type */
  static DType of(DataType type) {
    DType found = CAIRNS.get(type);
    if (found == null) {
      throw refused(type);
    }
    return found;
  }

  /** @throws UnsupportedOperationException when DJL has no such type */
  static DataType of(DType type) {
    DataType found = DJLS.get(type);
    if (found == null) {
      throw refused(type);
    }
    return found;
  }

  static UnsupportedOperationException refused(Object type) {
    return new UnsupportedOperationException("arrays of engine Cairn have numbers or booleans only: type=" + type);
  }
}
