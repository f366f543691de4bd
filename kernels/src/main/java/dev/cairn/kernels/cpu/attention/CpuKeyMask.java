package dev.cairn.kernels.cpu.attention;

import dev.cairn.kernels.attribute.KeyMaskForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/** {@code KeyMask}: whether each key counts for each query, from any of the forms of com.microsoft's masks. */
public final class CpuKeyMask implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView mask = call.input(0);
    TensorView result = call.output(0);
    KeyMaskForm form = KeyMaskForm.of(mask.shape(), call.input(1));
    long queries = result.shape().extent(2);
    long keys = result.shape().extent(3);
    long at = 0;
    for (long item = 0; item < result.shape().extent(0); item++) {
      for (long query = 0; query < queries; query++) {
        for (long key = 0; key < keys; key++) {
          result.segment().set(ValueLayout.JAVA_BYTE, at++, (byte) (form.counts(mask, item, query, key) ? 1 : 0));
        }
      }
    }
  }
}
