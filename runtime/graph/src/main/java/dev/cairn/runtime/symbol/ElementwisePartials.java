package dev.cairn.runtime.symbol;

import static dev.cairn.runtime.symbol.PartialType.OPEN;

import dev.cairn.kernels.attribute.CastForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.symbol.PartialRules.PartialRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Operators of each element by itself. */
final class ElementwisePartials {
  private ElementwisePartials() {}

  static void addTo(Map<String, PartialRule> table) {
    StandardOperators.table().rows().forEach(row -> rule(row).ifPresent(it -> table.put(row.name(), it)));
    table.put("Pow", ElementwisePartials::power);
    table.put("Where", ElementwisePartials::where);
    table.put("Clip", ElementwisePartials::clip);
    table.put("Cast", ElementwisePartials::cast);
    table.put("CastLike", ElementwisePartials::castLike);
    table.put("Dropout", ElementwisePartials::dropout);
  }

  /**
   * The rule that follows from an operator's row: none for operators that are not elementwise and do not keep types.
   */
  private static Optional<PartialRule> rule(OperatorDefinition row) {
    if (row.facts().has(OperatorTrait.COMPARES)) {
      return Optional.of(row.maxInputs() == 1 ? ElementwisePartials::test : ElementwisePartials::comparison);
    }
    if (row.isElementFunction() || row.facts().has(OperatorTrait.KEEPS_TYPE)) {
      return Optional.of(call -> call.same(0, 0));
    }
    return row.memory().elementwise() ? Optional.of(ElementwisePartials::arithmetic) : Optional.empty();
  }

  private static int[] all(PartialCall call) {
    int[] operands = new int[call.operands()];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = i;
    }
    return operands;
  }

  private static void arithmetic(PartialCall call) {
    call.sameElement(all(call));
    broadcast(call);
  }

  private static void comparison(PartialCall call) {
    call.operand(0).dtype().or(() -> call.operand(1).dtype()).map(PartialType::of).ifPresent(it -> {
      call.tellOperand(0, it);
      call.tellOperand(1, it);
    });
    call.tellResult(0, PartialType.of(DType.BOOL));
    broadcast(call);
  }

  private static void power(PartialCall call) {
    call.sameElement(0);
    broadcast(call);
  }

  private static void where(PartialCall call) {
    call.tellOperand(0, PartialType.of(DType.BOOL));
    call.sameElement(1, 2);
    broadcast(call);
  }

  private static void clip(PartialCall call) {
    call.same(0, 0);
    call.sameElement(all(call));
  }

  private static void cast(PartialCall call) {
    call.sameShape(0, 0);
    String to = CastForm.of(call.attributes()).to();
    if (!to.isEmpty()) {
      call.tellResult(0, PartialType.of(DType.valueOf(to.toUpperCase(Locale.ROOT))));
    }
  }

  private static void castLike(PartialCall call) {
    call.sameShape(0, 0);
    call.operand(1).dtype().ifPresent(dtype -> {
      call.tellResult(0, PartialType.of(dtype));
      call.value(0).filter(it -> it.elementCount() == 1 && !holds(dtype, it)).ifPresent(it -> {
        throw call.fault("the element type cannot hold this number: dtype=%s value=%s;".formatted(dtype, it.dtype()
          .isFloat() ? Double.toString(it.doubleAt(0)) : Long.toString(it.longAt(0))));
      });
    });
  }

  /** Whether an element type holds a number of Java, as arrays ask: whole numbers exactly, others rounded. */
  private static boolean holds(DType dtype, TensorView number) {
    if (number.dtype().isFloat()) {
      double value = number.doubleAt(0);
      return dtype.isFloat() || (value == Math.rint(value) && inRange(dtype, (long) value) && Math.abs(value) < 0x1p63);
    }
    long value = number.longAt(0);
    return switch (dtype) {
      case FLOAT64 -> (long) (double) value == value;
      case FLOAT32 -> (long) (float) value == value;
      case FLOAT16 ->
        Math.abs(value) < 65536 && (long) Float.float16ToFloat(Float.floatToFloat16((float) value)) == value;
      case BFLOAT16 -> (long) (float) value == value && (Float.floatToRawIntBits((float) value) & 0xffff) == 0;
      default -> inRange(dtype, value);
    };
  }

  private static boolean inRange(DType dtype, long value) {
    int bits = dtype == DType.BOOL ? 1 : dtype.bytes() * Byte.SIZE;
    if (dtype == DType.BOOL || dtype.isUnsigned()) {
      return value >= 0 && (bits == Long.SIZE || value < 1L << bits);
    }
    return bits == Long.SIZE || (value >= -(1L << (bits - 1)) && value < 1L << (bits - 1));
  }

  private static void test(PartialCall call) {
    call.sameShape(0, 0);
    call.tellResult(0, PartialType.of(DType.BOOL));
  }

  private static void dropout(PartialCall call) {
    call.same(0, 0);
    call.tellResult(1, call.operand(0).withDType(Optional.of(DType.BOOL)));
  }

  /** The shapes of all operands stretch to the first result's. */
  static void broadcast(PartialCall call) {
    List<PartialType> shapes = new ArrayList<>();
    int rank = 0;
    int openRanks = 0;
    for (int i = 0; i < call.operands(); i++) {
      shapes.add(call.operand(i));
      rank = Math.max(rank, call.operand(i).rank());
      openRanks += call.operand(i).rank() < 0 ? 1 : 0;
    }
    if (openRanks == 0) {
      long[] extents = PartialCall.open(rank);
      for (int axis = 0; axis < rank; axis++) {
        extents[axis] = stretched(call, shapes, rank, axis);
      }
      call.tellResultShape(0, extents);
    }
    PartialType result = call.result(0);
    for (int i = 0; i < shapes.size() && result.rank() >= 0; i++) {
      boolean othersAreLower = rank < result.rank() && openRanks == 1 && call.operand(i).rank() < 0;
      if (othersAreLower) {
        call.tellShape(i, PartialCall.open(result.rank()));
      }
      if (call.operand(i).rank() >= 0) {
        backwards(call, shapes, i);
      }
    }
  }

  /** The extent of an axis, counted from the back as broadcasting does: 1 if the shape has no such axis. */
  private static long extent(PartialType shape, int rank, int axis) {
    int own = axis - (rank - shape.rank());
    return own < 0 ? 1 : shape.extent(own);
  }

  private static long stretched(PartialCall call, List<PartialType> shapes, int rank, int axis) {
    long known = 1;
    boolean open = false;
    for (PartialType shape : shapes) {
      long extent = extent(shape, rank, axis);
      if (extent != OPEN && extent != 1 && known != 1 && known != extent) {
        throw call.fault("shapes do not broadcast: axis=%d extents=%d,%d".formatted(axis, known, extent));
      }
      open |= extent == OPEN;
      known = extent == OPEN || extent == 1 ? known : extent;
    }
    return known == 1 && open ? OPEN : known;
  }

  /** An open extent is the result's where no other operand can have brought it. */
  private static void backwards(PartialCall call, List<PartialType> shapes, int operand) {
    PartialType result = call.result(0);
    PartialType own = call.operand(operand);
    int rank = result.rank();
    if (own.rank() > rank) {
      throw call.fault("an operand has more axes than the result: result=" + result);
    }
    long[] extents = PartialCall.extents(own);
    for (int i = 0; i < extents.length; i++) {
      int axis = i + rank - extents.length;
      boolean alone = true;
      for (int other = 0; other < shapes.size(); other++) {
        alone &= other == operand || (shapes.get(other).rank() >= 0 && extent(shapes.get(other), rank, axis) == 1);
      }
      if (extents[i] == OPEN && (alone || result.extent(axis) == 1)) {
        extents[i] = result.extent(axis);
      }
    }
    call.tellShape(operand, extents);
  }
}
