package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.attribute.HashForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** {@code MurmurHash3(x)} of com.microsoft: 32 bits for each string, in UTF-8, or number, in its bytes. */
public final class MurmurHash implements StringKernel {
  @Override
  public void run(KernelCall call) {
    HashForm form = HashForm.of(call.attributes());
    TensorView x = call.input(0);
    boolean areTexts = x.dtype() == DType.STRING;
    byte[] number = new byte[areTexts ? 0 : x.dtype().bytes()];
    for (long i = 0; i < x.elementCount(); i++) {
      byte[] bytes = number;
      if (areTexts) {
        bytes = StringElements.at(x, i).getBytes(StandardCharsets.UTF_8);
      } else {
        for (int b = 0; b < bytes.length; b++) {
          bytes[b] = x.segment().get(ValueLayout.JAVA_BYTE, i * bytes.length + b);
        }
      }
      call.output(0).segment().set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, form.hash(bytes));
    }
  }
}
