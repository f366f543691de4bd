package dev.cairn.runtime.engine;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the footprints of pushes that a thread holds back into one: each variable once, and written when one of them
 * writes it. Holds each variable, so that its delete comes after them. Used again and again; each time it makes a new
 * array of variables, with room for as many as the last one held, which becomes the footprint's.
 */
final class FootprintUnion {
  private static final int USUAL = 16;
  private static final Variable[] NONE = {};

  /** In the order of their numbers. */
  private Variable[] variables = NONE;
  /** Which of them are written, one bit each, as long as there are no more than 64; behind that, of all of them. */
  private long written;
  private @Nullable BitSet writtenOfMany;
  private int room = USUAL;
  private int count;
  /** The last one's number; 0, less than any, when there is none. */
  private long highest;

  /**
   * Adds an operation's footprint. If it throws, each variable is either added or as it was before.
   *
   * @throws IllegalStateException when a variable is deleted
   */
  void add(String operation, Footprint footprint) {
    Variable only = footprint.only();
    if (only != null) {
      add(operation, only, footprint.isWritten(0));
      return;
    }
    for (int i = 0; i < footprint.size(); i++) {
      add(operation, footprint.variable(i), footprint.isWritten(i));
    }
  }

  private void add(String operation, Variable variable, boolean write) {
    long number = variable.number();
    // Operations in a row mostly touch later made variables.
    if (number <= highest) {
      merge(operation, variable, number, write);
      return;
    }
    int last = count;
    if (last < variables.length && last < Long.SIZE) {
      variable.beginHold(operation);
      variables[last] = variable;
      written |= (write ? 1L : 0) << last;
      count = last + 1;
    } else {
      put(operation, last, variable, write);
    }
    highest = number;
  }

  /** It does not come behind all others. */
  private void merge(String operation, Variable variable, long number, boolean write) {
    int at = count - 1;
    while (at >= 0 && variables[at].number() > number) {
      at--;
    }
    if (at < 0 || variables[at].number() != number) {
      put(operation, at + 1, variable, write);
    } else if (write) {
      setWritten(at);
    }
  }

  private void put(String operation, int at, Variable variable, boolean write) {
    if (count == variables.length) {
      grow();
    }
    makeRoomForBit();
    variable.beginHold(operation);
    if (at < count) {
      System.arraycopy(variables, at, variables, at + 1, count - at);
      moveWritten(at);
    }
    variables[at] = variable;
    count++;
    if (write) {
      setWritten(at);
    }
  }

  /** Before anything is moved, as the heap may have no room for more bits. */
  private void makeRoomForBit() {
    if (count == Long.SIZE && writtenOfMany == null) {
      writtenOfMany = BitSet.valueOf(new long[] {written});
    }
    if (writtenOfMany != null) {
      writtenOfMany.set(count);
      writtenOfMany.clear(count);
    }
  }

  private void setWritten(int at) {
    if (writtenOfMany != null) {
      writtenOfMany.set(at);
    } else {
      written |= 1L << at;
    }
  }

  /** From there on, everything is one further up; there, nothing is written. */
  private void moveWritten(int at) {
    BitSet many = writtenOfMany;
    if (many == null) {
      long below = (1L << at) - 1;
      written = (written & below) | (written & ~below) << 1;
    } else {
      for (int i = count; i > at; i--) {
        many.set(i, many.get(i - 1));
      }
      many.clear(at);
    }
  }

  private void grow() {
    variables = count == 0 ? new Variable[room] : Arrays.copyOf(variables, 2 * count);
  }

  /** The footprint of the variables that were added; forgets them. */
  Footprint taken() {
    Footprint taken = footprint();
    clear();
    return taken;
  }

  /** Forgets what was added. */
  void clear() {
    room = Math.max(count, 1);
    variables = NONE;
    written = 0;
    writtenOfMany = null;
    count = 0;
    highest = 0;
  }

  /** The footprint of what was added; {@link #clear} must follow before anything else is added. */
  Footprint footprint() {
    Variable[] ordered = count == variables.length ? variables : Arrays.copyOf(variables, count);
    return Footprint.ofOrdered(ordered, written, writtenOfMany);
  }
}
