package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.attribute.LabelMap;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.cpu.elementwise.CpuCast;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Replaces each element by the value of its label. */
public final class LabelEncoder implements StringKernel {
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    LabelMap map = LabelMap.of(call.attributes(), x.dtype());
    List<Object> values = new ArrayList<>();
    for (long i = 0; i < x.elementCount(); i++) {
      values.add(map.value(x, i));
    }
    if (map.valueType() == DType.STRING) {
      call.bindOutput(0, StringElements.of(x.shape(), values.stream().map(String::valueOf).toList()));
      return;
    }
    TensorView[] numbers = {map.valueType().isFloat()
      ? new TensorView(x.type().withDType(DType.FLOAT64), MemorySegment.ofArray(values.stream().mapToDouble(
        it -> ((Number) it).doubleValue()).toArray()))
      : new TensorView(x.type().withDType(DType.INT64), MemorySegment.ofArray(values.stream().mapToLong(
        it -> ((Number) it).longValue()).toArray()))};
    TensorView[] results = {call.output(0)};
    new CpuCast().run(new KernelCall(numbers, results, call.attributes(), call.workspace(), call.stream()));
  }
}
