package dev.cairn.runtime.operator.partial;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.ReshapeForm;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.runtime.graph.PartialType;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/** Operators that give elements other places. */
public final class MovementPartials {
  private MovementPartials() {}

  public static void squeeze(PartialCall call) {
    axes(call, true);
  }

  public static void unsqueeze(PartialCall call) {
    axes(call, false);
  }

  public static void transpose(PartialCall call) {
    call.sameElement(0);
    int rank = Math.max(call.operand(0).rank(), call.result(0).rank());
    long[] order = TransposeForm.of(call.attributes()).perm();
    rank = rank < 0 && order.length > 0 ? order.length : rank;
    if (rank < 0) {
      return;
    }
    call.tellShape(0, PartialCall.open(rank));
    call.tellResultShape(0, PartialCall.open(rank));
    if (order.length != 0 && order.length != rank) {
      return;
    }
    long[] x = PartialCall.extents(call.operand(0));
    long[] y = PartialCall.extents(call.result(0));
    long[] ahead = new long[rank];
    long[] back = new long[rank];
    for (int i = 0; i < rank; i++) {
      int from = order.length == 0 ? rank - 1 - i : call.axis(order[i], rank);
      ahead[i] = x[from];
      back[from] = y[i];
    }
    call.tellResultShape(0, ahead);
    call.tellShape(0, back);
  }

  public static void reshape(PartialCall call) {
    call.sameElement(0);
    Optional<long[]> target = call.longs(1);
    if (target.isEmpty()) {
      return;
    }
    boolean zeroMeansZero = ReshapeForm.of(call.attributes()).zeroIsExtent();
    long[] wanted = target.get().clone();
    int free = -1;
    for (int i = 0; i < wanted.length; i++) {
      free = wanted[i] == -1 ? i : free;
      if (wanted[i] == 0 && !zeroMeansZero) {
        wanted[i] = i < call.operand(0).rank() ? call.operand(0).extent(i) : OPEN;
      }
    }
    long given = call.operand(0).rank() < 0 ? OPEN : count(PartialCall.extents(call.operand(0)), -1);
    if (free >= 0 && given != OPEN) {
      long others = count(wanted, free);
      wanted[free] = others <= 0 || given % others != 0 ? OPEN : given / others;
    }
    call.tellResultShape(0, wanted);
    settle(call, count(PartialCall.extents(call.result(0)), -1));
  }

  /** The only open extent of an operand, from the number of all elements. */
  private static void settle(PartialCall call, long elements) {
    if (elements == OPEN || call.operand(0).rank() < 0) {
      return;
    }
    long[] x = PartialCall.extents(call.operand(0));
    int[] open = LongStream.range(0, x.length).filter(i -> x[(int) i] == OPEN).mapToInt(i -> (int) i).toArray();
    if (open.length == 1) {
      long others = count(x, open[0]);
      if (others > 0 && elements % others == 0) {
        x[open[0]] = elements / others;
        call.tellShape(0, x);
      }
    }
  }

  /** The number of elements; open if an extent is, but the left-out one. */
  private static long count(long[] extents, int leftOut) {
    long count = 1;
    for (int i = 0; i < extents.length; i++) {
      if (i != leftOut) {
        if (extents[i] == OPEN) {
          return OPEN;
        }
        count = Math.multiplyExact(count, extents[i]);
      }
    }
    return count;
  }

  public static void flatten(PartialCall call) {
    call.sameElement(0);
    call.tellResultShape(0, OPEN, OPEN);
    int rank = call.operand(0).rank();
    if (rank < 0) {
      return;
    }
    long axis = AxisForm.ofFlatten(call.attributes()).axis();
    int first = axis == rank ? rank : call.axis(axis, rank);
    long[] x = PartialCall.extents(call.operand(0));
    call.tellResultShape(0, count(Arrays.copyOf(x, first), -1), count(Arrays.copyOfRange(x, first, rank), -1));
    long[] y = PartialCall.extents(call.result(0));
    settle(call, count(y, -1));
    if (first == 1) {
      long[] back = PartialCall.open(rank);
      back[0] = y[0];
      call.tellShape(0, back);
    }
  }

  /** Axes of extent 1 that the first of two shapes has and the second lacks. */
  private static void axes(PartialCall call, boolean squeeze) {
    call.sameElement(0);
    Optional<long[]> given = call.longs(1);
    if (given.isEmpty()) {
      return;
    }
    long[] axes = given.get();
    PartialType wide = squeeze ? call.operand(0) : call.result(0);
    PartialType narrow = squeeze ? call.result(0) : call.operand(0);
    int rank = wide.rank() >= 0 ? wide.rank() : narrow.rank() < 0 ? -1 : narrow.rank() + axes.length;
    if (rank < 0) {
      return;
    }
    boolean[] ones = new boolean[rank];
    Arrays.stream(axes).forEach(it -> ones[call.axis(it, rank)] = true);
    long[] all = PartialCall.open(rank);
    long[] few = PartialCall.open(rank - axes.length);
    int place = 0;
    for (int i = 0; i < rank; i++) {
      if (ones[i]) {
        all[i] = 1;
      } else {
        long one = wide.rank() < 0 ? OPEN : wide.extent(i);
        long other = narrow.rank() < 0 || place >= narrow.rank() ? OPEN : narrow.extent(place);
        all[i] = one == OPEN ? other : one;
        few[place++] = all[i];
      }
    }
    call.tellShape(0, squeeze ? all : few);
    call.tellResultShape(0, squeeze ? few : all);
  }

  public static void concat(PartialCall call) {
    call.sameElementOfAll();
    int rank = call.result(0).rank();
    for (int operand = 0; operand < call.operands(); operand++) {
      rank = Math.max(rank, call.operand(operand).rank());
    }
    if (rank <= 0) {
      return;
    }
    int axis = call.axis(AxisForm.ofParts(call.attributes()).axis(), rank);
    joined(call, rank, axis, new Parts(call.operands(), call::operand, call::tellOperand), new Parts(1, call::result,
      call::tellResult));
  }

  public static void split(PartialCall call) {
    call.sameElement(0);
    int rank = call.operand(0).rank();
    for (int i = 0; i < call.results(); i++) {
      rank = Math.max(rank, call.result(i).rank());
      int result = i;
      call.operand(0).dtype().ifPresent(it -> call.tellResult(result, PartialType.of(it)));
    }
    if (rank <= 0) {
      return;
    }
    int axis = call.axis(AxisForm.ofParts(call.attributes()).axis(), rank);
    long[] lengths = call.longs(1).orElse(new long[0]);
    for (int i = 0; i < lengths.length && i < call.results(); i++) {
      long[] part = PartialCall.open(rank);
      part[axis] = lengths[i];
      call.tellResultShape(i, part);
    }
    joined(call, rank, axis, new Parts(call.results(), call::result, call::tellResult), new Parts(1, call::operand,
      call::tellOperand));
  }

  /** Operands or results, to read and to refine. */
  private record Parts(int count, IntFunction<PartialType> read, Teller tell) {}

  @FunctionalInterface
  private interface Teller {
    void tell(int index, PartialType fact);
  }

  /** Parts that together make a whole along an axis. */
  private static void joined(PartialCall call, int rank, int axis, Parts parts, Parts whole) {
    long[] common = PartialCall.open(rank);
    long sum = 0;
    int open = 0;
    int last = -1;
    for (int i = -1; i < parts.count; i++) {
      PartialType part = i < 0 ? whole.read.apply(0) : parts.read.apply(i);
      for (int j = 0; j < rank && part.rank() == rank; j++) {
        common[j] = j == axis || common[j] != OPEN ? common[j] : part.extent(j);
      }
      if (i >= 0 && (part.rank() != rank || part.extent(axis) == OPEN)) {
        open++;
        last = i;
      } else if (i >= 0) {
        sum = Math.addExact(sum, part.extent(axis));
      }
    }
    PartialType known = whole.read.apply(0);
    long total = open == 0 ? sum : known.rank() == rank ? known.extent(axis) : OPEN;
    long[] all = common.clone();
    all[axis] = total;
    whole.tell.tell(0, PartialType.ofShape(all));
    for (int i = 0; i < parts.count; i++) {
      if (i == last && open == 1 && total != OPEN && total < sum) {
        throw call.fault("parts are longer than the whole: axis=%d parts=%d whole=%d".formatted(axis, sum, total));
      }
      long[] part = common.clone();
      part[axis] = i == last && open == 1 && total != OPEN ? total - sum : OPEN;
      parts.tell.tell(i, PartialType.ofShape(part));
    }
  }
}
