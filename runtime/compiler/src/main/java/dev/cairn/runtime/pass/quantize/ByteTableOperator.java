package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.cpu.quantized.CpuByteTable;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/**
 * The row of the operator for tables of bytes: an operator that no model has, since only {@link FuseByteTablePass}
 * makes it.
 */
final class ByteTableOperator {
  static final int ENTRIES = 1 << Byte.SIZE;

  static final OperatorDefinition ROW = new OperatorDefinition(CpuByteTable.OPERATOR, 2, 2,
    ByteTableOperator::types, MemoryTraits.FIRST_IN_PLACE);

  private ByteTableOperator() {}

  private static List<TensorType> types(TypeContext context) {
    if (!context.shape(1).equals(Shape.of(ENTRIES)) || context.dtype(0).bytes() != 1 || context.dtype(1).bytes() != 1) {
      throw context.fault("a table has 256 bytes: x=%s table=%s".formatted(context.input(0), context.input(1)));
    }
    return List.of(context.input(0).withDType(context.dtype(1)));
  }
}
