package dev.cairn.kernels.cpu.text;

import dev.cairn.kernels.attribute.NgramPool;
import dev.cairn.kernels.attribute.TermForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.StringKernel;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/** Counts n-grams of words or numbers in each row, by itself or weighted. */
public final class TfIdfVectorizer implements StringKernel {
  @Override
  public void run(KernelCall call) {
    NgramPool pool = NgramPool.of(call.attributes());
    TensorView x = call.input(0);
    boolean isOneRow = x.shape().rank() == 1;
    long rows = isOneRow ? 1 : x.shape().extent(0);
    long length = x.shape().extent(-1);
    String mode = TermForm.of(call.attributes()).mode();
    for (long row = 0; row < rows; row++) {
      long[] counts = pool.counted(x, row * length, length);
      for (int column = 0; column < counts.length; column++) {
        float weight = pool.weights().isEmpty() || mode.equals("TF") ? 1 : pool.weights().get(column);
        float value = mode.equals("IDF") ? (counts[column] > 0 ? weight : 0) : counts[column] * weight;
        call.output(0).segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, (row * counts.length + column) * Float.BYTES,
          value);
      }
    }
  }
}
