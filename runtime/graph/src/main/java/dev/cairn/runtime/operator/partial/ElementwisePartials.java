package dev.cairn.runtime.operator.partial;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.CastForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.graph.Scalars;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Operators of each element by itself. */
public final class ElementwisePartials {
  private ElementwisePartials() {}

  /** Operand and result have one type. */
  public static void same(PartialCall call) {
    call.same(0, 0);
  }

  public static void arithmetic(PartialCall call) {
    call.sameElementOfAll();
    broadcast(call);
  }

  public static void comparison(PartialCall call) {
    call.operand(0).dtype().or(() -> call.operand(1).dtype()).map(PartialType::of).ifPresent(it -> {
      call.tellOperand(0, it);
      call.tellOperand(1, it);
    });
    call.tellResult(0, PartialType.of(DType.BOOL));
    broadcast(call);
  }

  public static void power(PartialCall call) {
    call.sameElement(0);
    broadcast(call);
  }

  public static void where(PartialCall call) {
    call.tellOperand(0, PartialType.of(DType.BOOL));
    call.sameElement(1, 2);
    broadcast(call);
  }

  public static void clip(PartialCall call) {
    call.same(0, 0);
    call.sameElementOfAll();
  }

  public static void cast(PartialCall call) {
    call.sameShape(0, 0);
    String to = CastForm.of(call.attributes()).to();
    if (!to.isEmpty()) {
      call.tellResult(0, PartialType.of(DType.valueOf(to.toUpperCase(Locale.ROOT))));
    }
  }

  public static void castLike(PartialCall call) {
    call.sameShape(0, 0);
    call.operand(1).dtype().ifPresent(dtype -> {
      call.tellResult(0, PartialType.of(dtype));
      call.value(0).filter(it -> it.elementCount() == 1 && dtype != DType.STRING).ifPresent(it -> requireHeld(call,
        dtype, it));
    });
  }

  /** A number must be one that the element type can hold, as for arrays. */
  private static void requireHeld(PartialCall call, DType dtype, TensorView number) {
    try {
      Scalars.of(dtype, number.dtype().isFloat() ? (Number) number.doubleAt(0) : (Number) number.longAt(0));
    } catch (IllegalArgumentException e) {
      throw call.fault(String.valueOf(e.getMessage()));
    }
  }

  public static void test(PartialCall call) {
    call.sameShape(0, 0);
    call.tellResult(0, PartialType.of(DType.BOOL));
  }

  public static void dropout(PartialCall call) {
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
