package dev.cairn.runtime.ndarray.call;

import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an operation writes and reads: ranges of arrays, and with them the engine's variables that give it its place in
 * the order. A constant never changes, so it needs no place. An operand that lies in a result's storage counts as
 * written.
 */
public class ArrayFootprint {
  /** The results, then the operands; null for an absent operand. */
  private final @Nullable ArrayRange[] ranges;
  private final int results;

  /** @param ranges the results, then the operands; null for an absent operand. The array becomes the footprint's */
  ArrayFootprint(@Nullable ArrayRange[] ranges, int results) {
    this.ranges = ranges;
    this.results = results;
  }

  public static ArrayFootprint of(ArrayRange[] written, ArrayRange... read) {
    @Nullable
    ArrayRange[] ranges = new ArrayRange[written.length + read.length];
    System.arraycopy(written, 0, ranges, 0, written.length);
    System.arraycopy(read, 0, ranges, written.length, read.length);
    return new ArrayFootprint(ranges, written.length);
  }

  /** Whether the operation reads an operand that may change and lies in no result. */
  private boolean isReadOnly(@Nullable ArrayRange operand) {
    return operand != null && !operand.storage().isConstant() && !sharesResult(operand);
  }

  private boolean sharesResult(ArrayRange operand) {
    for (int i = 0; i < results; i++) {
      if (operand.sharesStorage(result(i))) {
        return true;
      }
    }
    return false;
  }

  final int results() {
    return results;
  }

  final ArrayRange result(int index) {
    return Objects.requireNonNull(ranges[index]);
  }

  final int operands() {
    return ranges.length - results;
  }

  final @Nullable ArrayRange operand(int index) {
    return ranges[results + index];
  }

  /** The results, then the operands. */
  final @Nullable ArrayRange[] ranges() {
    return ranges;
  }

  /** How many bytes the results and the operands have. */
  final long bytes() {
    long bytes = 0;
    for (ArrayRange range : ranges) {
      bytes += range == null ? 0 : range.type().bytes();
    }
    return bytes;
  }

  /** Whether no old value of the results' storages is left or read. */
  final boolean replacesAll() {
    for (int i = 0; i < results; i++) {
      if (!result(i).coversStorage()) {
        return false;
      }
    }
    for (int i = results; i < ranges.length; i++) {
      ArrayRange operand = ranges[i];
      if (operand != null && sharesResult(operand)) {
        return false;
      }
    }
    return true;
  }

  /** The variables: those of the results, then those of the operands that have to be waited for. */
  public final Footprint footprint() {
    return footprint(null, false);
  }

  /** The same with a variable of something besides arrays, which the operation changes or reads. */
  final Footprint footprint(@Nullable Variable other, boolean changes) {
    var variables = new Variable[ranges.length + (other == null ? 0 : 1)];
    int count = 0;
    if (other != null && changes) {
      variables[count++] = other;
    }
    for (int i = 0; i < ranges.length; i++) {
      if (i < results || isReadOnly(ranges[i])) {
        variables[count++] = result(i).storage().variable();
      }
    }
    if (other != null && !changes) {
      variables[count++] = other;
    }
    return Footprint.of(count == variables.length ? variables : Arrays.copyOf(variables, count), results + (changes
      ? 1
      : 0));
  }
}
