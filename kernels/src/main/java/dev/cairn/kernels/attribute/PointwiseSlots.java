package dev.cairn.kernels.attribute;

import dev.cairn.kernels.attribute.PointwiseProgram.Input;
import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The slots that hold the values of a {@link PointwiseProgram}'s steps while a kernel computes a block of elements. A
 * result is in its output. The value of another step is also in an output, if one is free and has elements of the same
 * size, so a chain needs no memory but its output. Otherwise the value is in scratch memory. A step may overwrite a
 * value that it is the last to read.
 *
 * <pre> %0 = Div(x0, x1)   output 0        %0 = Div(x0, x1)   scratch 0
 * %1 = Erf(%0)       output 0        %1 = Mul(%0, x0)   output 0     x0 is read again, so that
 * return %1                          return %1                       the output may lie over it </pre>
 */
public final class PointwiseSlots {
  /**
   * The name of an attribute: pairs of an input and an output, side by side, which are to share memory. No other value
   * is in such an output while its input is still to be read.
   */
  public static final String UPDATES = "updates";
  private static final int NEVER = -1;
  private final PointwiseProgram program;
  private final long[] updates;
  private final int outputs;
  private final int[] firstReads;
  private final int[] lastReads;
  private final int[] lastUses;
  private final int[] slots;
  private int scratchCount;

  public PointwiseSlots(PointwiseProgram program) {
    this(program, new long[0]);
  }

  private PointwiseSlots(PointwiseProgram program, long[] updates) {
    this.program = program;
    this.updates = updates;
    this.outputs = program.results().size();
    this.firstReads = filled(program.inputCount());
    this.lastReads = filled(program.inputCount());
    this.lastUses = filled(program.steps().size());
    this.slots = filled(program.steps().size());
    findUses();
    for (int output = 0; output < outputs; output++) {
      slots[program.results().get(output)] = output;
      lastUses[program.results().get(output)] = program.steps().size();
    }
    for (int step = 0; step < slots.length; step++) {
      if (slots[step] == NEVER) {
        slots[step] = freeSlot(step);
      }
    }
  }

  /** The slots of the program in a node's attributes. */
  public static PointwiseSlots of(Attributes attributes) {
    return new PointwiseSlots(PointwiseProgram.of(attributes), attributes.getLongs(UPDATES));
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NEVER);
    return array;
  }

  private void findUses() {
    for (int step = 0; step < slots.length; step++) {
      for (Operand operand : program.steps().get(step).operands()) {
        if (operand instanceof Value(int read)) {
          lastUses[read] = step;
        } else if (operand instanceof Input(int input)) {
          firstReads[input] = firstReads[input] == NEVER ? step : firstReads[input];
          lastReads[input] = step;
        }
      }
    }
  }

  private int freeSlot(int step) {
    for (int output = 0; output < outputs && !readAgain(step); output++) {
      if (width(program.results().get(output)) == width(step) && !isReadLater(output, step) && isFree(output, step)) {
        return output;
      }
    }
    for (int scratch = outputs;; scratch++) {
      if (isFree(scratch, step)) {
        scratchCount = Math.max(scratchCount, scratch - outputs + 1);
        return scratch;
      }
    }
  }

  /** Whether an input is read both up to this step and after it. Then no output should be written yet. */
  private boolean readAgain(int step) {
    for (int input = 0; input < firstReads.length; input++) {
      if (firstReads[input] != NEVER && firstReads[input] <= step && step < lastReads[input]) {
        return true;
      }
    }
    return false;
  }

  /** Whether the input that is to share the output's memory is read after this step. */
  private boolean isReadLater(int output, int step) {
    for (int i = 0; i + 1 < updates.length; i += 2) {
      if (updates[i + 1] == output && step < lastReads[(int) updates[i]]) {
        return true;
      }
    }
    return false;
  }

  /** Whether the slot holds no other value between the step and the last reader of its value. */
  private boolean isFree(int slot, int step) {
    for (int other = 0; other < slots.length; other++) {
      if (slots[other] == slot && other != step) {
        boolean over = lastUses[other] < step || (lastUses[other] == step && width(other) == width(step));
        boolean later = lastUses[step] < other || (lastUses[step] == other && width(other) == width(step));
        if (!over && !later) {
          return false;
        }
      }
    }
    return true;
  }

  private int width(int step) {
    return program.steps().get(step).dtype().bytes();
  }

  /** The slot of a step's value: the index of an output, or the number of outputs plus the index of a scratch slot. */
  public int slot(int step) {
    return slots[step];
  }

  /** The number of scratch slots. */
  public int scratchCount() {
    return scratchCount;
  }

  /**
   * Pairs of an input and an output of one type that may share memory, as a flat list. In each pair, no step reads the
   * input after the first step that writes the output.
   */
  public List<Long> inPlace() {
    List<Long> pairs = new ArrayList<>();
    for (int output = 0; output < outputs; output++) {
      int firstWrite = firstWrite(output);
      for (int input = 0; input < lastReads.length; input++) {
        if (lastReads[input] <= firstWrite) {
          pairs.add((long) input);
          pairs.add((long) output);
        }
      }
    }
    return pairs;
  }

  private int firstWrite(int output) {
    for (int step = 0; step < slots.length; step++) {
      if (slots[step] == output) {
        return step;
      }
    }
    throw new AssertionError("an output is written: output=" + output);
  }
}
