package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelCall;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A call some of whose inputs are numbers that a primitive is made with, such as the bounds of {@code Clip}. The
 * program is made at the first run, and again when one of the numbers has changed.
 */
final class WithScalars implements Prepared {
  private final Set<Integer> inputs;
  private final KernelCall call;
  private final Function<ToDoubleFunction<Integer>, PreparedProgram> maker;
  private Map<Integer, Float> values = Map.of();
  private @Nullable PreparedProgram program;

  /** @param maker makes the program for the inputs' values */
  WithScalars(Set<Integer> inputs, KernelCall call, Function<ToDoubleFunction<Integer>, PreparedProgram> maker) {
    this.inputs = inputs;
    this.call = call;
    this.maker = maker;
  }

  @Override
  public void run() {
    PreparedProgram current = program;
    if (current == null || !isCurrent()) {
      close();
      Map<Integer, Float> now = new HashMap<>();
      inputs.forEach(input -> now.put(input, value(input)));
      current = maker.apply(now::get);
      values = now;
      program = current;
    }
    current.run();
  }

  private boolean isCurrent() {
    for (Map.Entry<Integer, Float> known : values.entrySet()) {
      if (Float.floatToRawIntBits(known.getValue()) != Float.floatToRawIntBits(value(known.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private float value(int input) {
    return (float) call.input(input).doubleAt(0);
  }

  @Override
  public void close() {
    PreparedProgram last = program;
    program = null;
    if (last != null) {
      last.close();
    }
  }
}
