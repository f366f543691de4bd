package dev.cairn.runtime.operator.partial;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.runtime.graph.PartialType;
import java.util.Arrays;

/** Normalisations, whose parameters have the extents of what they scale. */
public final class NormalizationPartials {
  private NormalizationPartials() {}

  public static void batch(PartialCall call) {
    byChannel(call, 5);
  }

  public static void scaled(PartialCall call) {
    byChannel(call, 3);
  }

  private static void byChannel(PartialCall call, int operands) {
    call.same(0, 0);
    long channels = OPEN;
    for (int i = 1; i < operands; i++) {
      takeElement(call, i);
      call.tellShape(i, OPEN);
      channels = channels == OPEN && call.has(i) ? call.operand(i).extent(0) : channels;
    }
    int rank = call.operand(0).rank();
    if (rank < 2) {
      return;
    }
    channels = call.operand(0).extent(1) == OPEN ? channels : call.operand(0).extent(1);
    for (int i = 1; i < operands; i++) {
      call.tellShape(i, channels);
    }
    long[] x = PartialCall.open(rank);
    x[1] = channels;
    call.tellShape(0, x);
  }

  /** A parameter of an open element type has the data's; ONNX lets others differ. */
  private static void takeElement(PartialCall call, int parameter) {
    if (call.operand(parameter).dtype().isEmpty()) {
      call.operand(0).dtype().ifPresent(it -> call.tellOperand(parameter, PartialType.of(it)));
    }
  }

  public static void byLayer(PartialCall call) {
    call.same(0, 0);
    takeElement(call, 1);
    takeElement(call, 2);
    int rank = call.operand(0).rank();
    if (rank < 0) {
      return;
    }
    int first = call.axis(NormalizedRows.axis(call.attributes()), rank);
    long[] last = Arrays.copyOfRange(PartialCall.extents(call.operand(0)), first, rank);
    for (int i = 1; i < 3; i++) {
      if (call.has(i) && (call.operand(i).rank() < 0 || call.operand(i).rank() == last.length)) {
        call.tellShape(i, open(call.operand(i), last));
      }
    }
  }

  /** The normalised extents where the parameter's are open; known ones may be 1, and broadcast. */
  private static long[] open(PartialType parameter, long... last) {
    long[] extents = last.clone();
    for (int axis = 0; axis < extents.length && parameter.rank() >= 0; axis++) {
      extents[axis] = parameter.extent(axis) == OPEN ? last[axis] : OPEN;
    }
    return extents;
  }
}
