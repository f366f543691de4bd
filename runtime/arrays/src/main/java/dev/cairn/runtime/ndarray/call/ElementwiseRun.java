package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.engine.queue.FusedBody;
import dev.cairn.runtime.engine.queue.FusedWork;
import dev.cairn.runtime.engine.queue.FusibleRun;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.ArrayStorage;
import dev.cairn.runtime.pass.fusion.FusedOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls of elementwise operators that a bulk holds back, one after the other, with results of one shape. Calls that
 * read each other's values become one. A value gets memory only if an array still holds it, or another operation reads
 * it. For one thread.
 *
 * <pre>
 * t = Mul(x, 2)                              y = {%0 = Mul(x0, x1); %1 = Add(%0, x2); return %1}(x, 2, b)
 * y = Add(t, b)      t is closed       →     v = Exp(u)
 * v = Exp(u)
 * </pre>
 */
@SuppressWarnings("ReferenceEquality")
final class ElementwiseRun implements FusibleRun {
  /** Calls whose values nothing asks for. */
  private static final FusedWork NOTHING = _ -> true;

  private final ElementwiseFusion fusion;
  private final ArrayDevice device;
  private final Shape shape;
  private final List<Operation> operations = new ArrayList<>();
  private final List<Invocation> calls = new ArrayList<>();
  /** Of each call: where its operands come from, as {@link FusedStructure} has it; inputs are those of the run. */
  private final List<int[]> operands = new ArrayList<>();
  /** Ranges that hold their values when the run begins, each once. */
  private final List<ArrayRange> inputs = new ArrayList<>();

  /** @param first fusible */
  ElementwiseRun(ElementwiseFusion fusion, Operation first) {
    Invocation call = Objects.requireNonNull(ElementwiseFusion.call(first));
    this.fusion = fusion;
    this.device = call.device();
    this.shape = call.result(0).type().shape();
    // A call by itself overwrites none of its operands but one of its result's type.
    if (!add(first)) {
      throw new AssertionError("a run refuses its first call: " + first);
    }
  }

  @Override
  public boolean add(Operation next) {
    Invocation call = ElementwiseFusion.call(next);
    if (call == null || calls.size() == FusedOperator.MOST_STEPS || call.device() != device || !call.result(0).type()
      .shape().equals(shape) || !fusion.isFusible(call)) {
      return false;
    }
    int before = inputs.size();
    int[] read = read(call);
    if (read == null || overwritesPart(call.result(0))) {
      inputs.subList(before, inputs.size()).clear();
      return false;
    }
    operations.add(next);
    calls.add(call);
    operands.add(read);
    return true;
  }

  /** Where the operands come from; null if one of them is part of an earlier result, or lies across one. */
  private int @Nullable [] read(Invocation call) {
    int[] read = new int[call.operands()];
    for (int i = 0; i < read.length; i++) {
      ArrayRange operand = call.operand(i);
      if (operand == null) {
        read[i] = FusedStructure.ABSENT;
        continue;
      }
      int writer = calls.size() - 1;
      while (writer >= 0 && !calls.get(writer).result(0).overlaps(operand)) {
        writer--;
      }
      if (writer >= 0 && !calls.get(writer).result(0).equals(operand)) {
        return null;
      }
      read[i] = writer >= 0 ? ~writer : input(operand);
    }
    return read;
  }

  private int input(ArrayRange operand) {
    int known = inputs.indexOf(operand);
    if (known < 0) {
      inputs.add(operand);
    }
    return known < 0 ? inputs.size() - 1 : known;
  }

  /** Whether a result lies across something that the run reads or writes: elements would not stay in their places. */
  private boolean overwritesPart(ArrayRange result) {
    for (ArrayRange input : inputs) {
      if (input.overlaps(result) && !input.equals(result)) {
        return true;
      }
    }
    for (Invocation call : calls) {
      if (call.result(0).overlaps(result) && !call.result(0).equals(result)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isOnlyInside(Variable variable) {
    ArrayStorage storage = null;
    int writes = 0;
    for (Invocation call : calls) {
      if (call.result(0).storage().variable() == variable) {
        storage = call.result(0).storage();
        writes++;
      }
    }
    if (storage == null || storage.isSeenFromOutside() || storage.holdsMemory() || storage.writes() != writes) {
      return false;
    }
    for (ArrayRange input : inputs) {
      if (input.storage() == storage) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<Operation> operations(Predicate<Variable> isTouchedOutside) {
    return new Split(isTouchedOutside).operations();
  }

  /** How the run is cut into operations. */
  private final class Split {
    private final int count = calls.size();
    /** Calls whose values must be in memory after the run. */
    private final boolean[] isLeft = new boolean[count];
    /** By call, one of the calls with which it must stay in order; those that lead to the same one belong together. */
    private final int[] groups = new int[count];
    private final List<Operation> made = new ArrayList<>();
    private int fused;

    Split(Predicate<Variable> isTouchedOutside) {
      for (int i = 0; i < count; i++) {
        ArrayStorage storage = calls.get(i).result(0).storage();
        isLeft[i] = !isOverwritten(i) && (!storage.isForgotten() || isTouchedOutside.test(storage.variable()));
        groups[i] = i;
      }
    }

    private boolean isOverwritten(int call) {
      ArrayRange result = calls.get(call).result(0);
      for (int later = call + 1; later < count; later++) {
        if (calls.get(later).result(0).equals(result)) {
          return true;
        }
      }
      return false;
    }

    List<Operation> operations() {
      for (int i = 0; i < count; i++) {
        join(i);
      }
      for (int i = 0; i < count; i++) {
        if (group(i) == i) {
          make(members(i));
        }
      }
      fusion.count(fused);
      return made;
    }

    /** Joins a call with those whose values it reads or overwrites, and those that read what it overwrites. */
    private void join(int call) {
      for (int operand : operands.get(call)) {
        if (operand < 0 && operand != FusedStructure.ABSENT) {
          unite(call, ~operand);
        }
      }
      ArrayRange result = calls.get(call).result(0);
      int overwritten = inputs.indexOf(result);
      for (int earlier = 0; earlier < call; earlier++) {
        if (calls.get(earlier).result(0).equals(result) || (overwritten >= 0 && reads(earlier, overwritten))) {
          unite(call, earlier);
        }
      }
    }

    private boolean reads(int call, int operand) {
      for (int read : operands.get(call)) {
        if (read == operand) {
          return true;
        }
      }
      return false;
    }

    private int group(int call) {
      int first = call;
      while (groups[first] != first) {
        first = groups[first];
      }
      return first;
    }

    /** The first call of a group stands for it. */
    private void unite(int one, int other) {
      int first = group(one);
      int second = group(other);
      groups[Math.max(first, second)] = Math.min(first, second);
    }

    private int[] members(int first) {
      int[] members = new int[count];
      int size = 0;
      for (int i = first; i < count; i++) {
        if (group(i) == first) {
          members[size++] = i;
        }
      }
      return Arrays.copyOf(members, size);
    }

    /** Adds what is to run for some calls, in order. */
    private void make(int[] members) {
      var piece = new Piece(this, members);
      if (piece.isUnasked()) {
        made.add(FusedBody.operation(NOTHING, piece.operations()));
        fused += members.length;
      } else if (members.length == 1) {
        made.add(operations.get(members[0]));
      } else if (!piece.fits()) {
        make(Arrays.copyOf(members, members.length / 2));
        make(Arrays.copyOfRange(members, members.length / 2, members.length));
      } else {
        Dispatch.Compute kernel = fusion.find(device, piece.structure());
        if (kernel == null) {
          made.addAll(piece.operations());
        } else {
          made.add(FusedBody.operation(piece.call(kernel), piece.operations()));
          fused += members.length;
        }
      }
    }
  }

  /** Calls that are to run as one. */
  private final class Piece {
    private final int[] members;
    /** By call of the run, its number among the steps that are computed; -1 where it is none. */
    private final int[] steps = new int[calls.size()];
    private final List<Integer> computed = new ArrayList<>();
    private final List<Integer> results = new ArrayList<>();
    private final List<ArrayRange> read = new ArrayList<>();
    private final int[] codes;

    Piece(Split split, int[] members) {
      this.members = members;
      boolean[] isInside = new boolean[steps.length];
      for (int member : members) {
        isInside[member] = true;
      }
      boolean[] isAsked = new boolean[steps.length];
      boolean[] isResult = new boolean[steps.length];
      for (int i = members.length - 1; i >= 0; i--) {
        int member = members[i];
        isResult[member] = split.isLeft[member] || isReadOutside(member, isInside);
        isAsked[member] |= isResult[member];
        for (int operand : isAsked[member] ? operands.get(member) : new int[0]) {
          if (operand < 0 && operand != FusedStructure.ABSENT) {
            isAsked[~operand] = true;
          }
        }
      }
      Arrays.fill(steps, -1);
      for (int member : members) {
        if (isAsked[member]) {
          steps[member] = computed.size();
          computed.add(member);
        }
        if (isResult[member]) {
          results.add(member);
        }
      }
      this.codes = codes();
    }

    private boolean isReadOutside(int call, boolean[] isInside) {
      for (int later = call + 1; later < isInside.length; later++) {
        for (int operand : isInside[later] ? new int[0] : operands.get(later)) {
          if (operand == ~call) {
            return true;
          }
        }
      }
      return false;
    }

    /** The operands of the steps, numbered as the piece has them. */
    private int[] codes() {
      int[] all = new int[computed.stream().mapToInt(it -> operands.get(it).length).sum()];
      int at = 0;
      for (int member : computed) {
        for (int operand : operands.get(member)) {
          boolean isValue = operand < 0 && operand != FusedStructure.ABSENT;
          if (operand == FusedStructure.ABSENT) {
            all[at++] = operand;
          } else if (isValue && steps[~operand] >= 0) {
            all[at++] = ~steps[~operand];
          } else {
            all[at++] = number(isValue ? calls.get(~operand).result(0) : inputs.get(operand));
          }
        }
      }
      return all;
    }

    private int number(ArrayRange range) {
      int known = read.indexOf(range);
      if (known < 0) {
        read.add(range);
      }
      return known < 0 ? read.size() - 1 : known;
    }

    /** Whether nothing asks for any value. */
    boolean isUnasked() {
      return computed.isEmpty();
    }

    /** Whether a fused kernel takes so many operands and results. */
    boolean fits() {
      return read.size() <= FusedOperator.MOST_INPUTS && results.size() <= FusedOperator.MOST_RESULTS;
    }

    List<Operation> operations() {
      return Arrays.stream(members).mapToObj(operations::get).toList();
    }

    FusedStructure structure() {
      return new FusedStructure(computed.stream().map(it -> calls.get(it).dispatch()).toArray(Dispatch.Compute[]::new),
        codes, results.stream().mapToInt(it -> steps[it]).toArray(), updates());
    }

    private int[] updates() {
      int[] pairs = new int[2 * results.size()];
      int count = 0;
      for (int i = 0; i < results.size(); i++) {
        int input = read.indexOf(calls.get(results.get(i)).result(0));
        if (input >= 0) {
          pairs[count++] = input;
          pairs[count++] = i;
        }
      }
      return Arrays.copyOf(pairs, count);
    }

    FusedCall call(Dispatch.Compute kernel) {
      @Nullable
      ArrayRange[] ranges = new ArrayRange[results.size() + read.size()];
      for (int i = 0; i < results.size(); i++) {
        ranges[i] = calls.get(results.get(i)).result(0);
      }
      for (int i = 0; i < read.size(); i++) {
        ranges[results.size() + i] = read.get(i);
      }
      return new FusedCall(new Invocation(kernel, ranges, results.size()), updates().length > 0);
    }
  }
}
