package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a kernel with {@code int64} numbers in the place of strings, and gives back the strings of the numbers that come
 * out. Number 0 stands for the empty string, so that a kernel's zeros become empty strings.
 *
 * <pre>Gather(["a" "b" "c"], [2 0])  =  strings of Gather([1 2 3], [2 0])  =  strings of [3 1]  =  ["c" "a"]</pre>
 */
public final class StringMove implements StringKernel {
  private final Kernel moving;
  private final boolean byValue;

  private StringMove(Kernel moving, boolean byValue) {
    this.moving = moving;
    this.byValue = byValue;
  }

  /** For a kernel that moves elements and does not look at them: each element has a number of its own. */
  public static StringMove ofPlaces(Kernel moving) {
    return new StringMove(moving, false);
  }

  /** For a kernel that compares elements: equal strings have equal numbers, greater ones greater numbers. */
  public static StringMove ofValues(Kernel comparing) {
    return new StringMove(comparing, true);
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return signature.hasStrings() && moving.accepts(numbered(signature));
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return moving.workspaceBytes(numbered(signature));
  }

  private static KernelSignature numbered(KernelSignature signature) {
    return new KernelSignature(signature.inputs().stream().map(it -> it.map(StringMove::numbered)).toList(), signature
      .outputs().stream().map(StringMove::numbered).toList(), signature.attributes());
  }

  private static TensorType numbered(TensorType type) {
    return type.dtype() == DType.STRING ? type.withDType(DType.INT64) : type;
  }

  @Override
  public void run(KernelCall call) {
    List<String> strings = new ArrayList<>(List.of(""));
    @Nullable
    TensorView[] inputs = new TensorView[call.inputCount()];
    List<long[]> numbers = new ArrayList<>();
    for (int i = 0; i < inputs.length; i++) {
      Optional<TensorView> view = call.has(i) ? Optional.of(call.input(i)) : Optional.empty();
      inputs[i] = view.map(it -> it.dtype() == DType.STRING ? numbered(it, strings, numbers) : it).orElse(null);
    }
    if (byValue) {
      rank(strings, numbers);
    }
    @Nullable
    TensorView[] outputs = new TensorView[call.outputCount()];
    for (int i = 0; i < outputs.length; i++) {
      TensorView output = call.output(i);
      outputs[i] = output.dtype() == DType.STRING
        ? new TensorView(numbered(output.type()), MemorySegment.ofArray(new long[Math.toIntExact(output
          .elementCount())]))
        : output;
    }
    var inner = new KernelCall(inputs, outputs, call.attributes(), call.workspace(), call.stream());
    moving.run(inner);
    for (int i = 0; i < outputs.length; i++) {
      if (call.output(i).dtype() == DType.STRING) {
        List<String> chosen = Arrays.stream(inner.output(i).toLongArray()).mapToObj(it -> strings.get((int) it))
          .toList();
        call.bindOutput(i, StringElements.of(call.output(i).shape(), chosen));
      }
    }
  }

  private static TensorView numbered(TensorView view, List<String> strings, List<long[]> numbers) {
    String[] values = StringElements.toArray(view);
    long[] own = new long[values.length];
    for (int i = 0; i < own.length; i++) {
      own[i] = strings.size();
      strings.add(values[i]);
    }
    numbers.add(own);
    return new TensorView(numbered(view.type()), MemorySegment.ofArray(own));
  }

  /** Replaces numbers by the places of their strings among all distinct strings in order. */
  private static void rank(List<String> strings, List<long[]> numbers) {
    List<String> distinct = strings.stream().distinct().sorted().toList();
    Map<String, Long> places = new HashMap<>();
    distinct.forEach(it -> places.put(it, (long) places.size()));
    for (long[] own : numbers) {
      Arrays.setAll(own, i -> places.getOrDefault(strings.get((int) own[i]), 0L));
    }
    strings.clear();
    strings.addAll(distinct);
  }
}
