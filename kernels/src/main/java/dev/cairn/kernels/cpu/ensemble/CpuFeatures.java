package dev.cairn.kernels.cpu.ensemble;

import dev.cairn.kernels.attribute.CategoryForm;
import dev.cairn.kernels.attribute.FeatureForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/** Rows of features, made of categories or of several inputs. */
public final class CpuFeatures {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private CpuFeatures() {}

  /** {@code OneHotEncoder}: for each element a row that has 1 at the place of its category. */
  public static void encode(KernelCall call) {
    CategoryForm form = CategoryForm.of(call.attributes());
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    y.segment().fill((byte) 0);
    for (long i = 0; i < x.elementCount(); i++) {
      int place = form.place(x, i);
      if (place >= 0) {
        y.segment().set(FLOAT, (i * form.count() + place) * Float.BYTES, 1);
      }
    }
  }

  /** {@code FeatureVectorizer}: the columns of all inputs side by side; missing ones are 0. */
  public static void join(KernelCall call) {
    FeatureForm form = FeatureForm.of(call.attributes());
    TensorView y = call.output(0);
    y.segment().fill((byte) 0);
    long width = y.shape().extent(1);
    long column = 0;
    for (int input = 0; input < call.inputCount(); input++) {
      TensorView x = call.input(input);
      long rows = x.shape().rank() == 1 ? 1 : x.shape().extent(0);
      long given = rows == 0 ? 0 : x.elementCount() / rows;
      int count = Math.toIntExact(Math.min(given, form.columns()[input]));
      double[] values = new double[count];
      for (long row = 0; row < rows; row++) {
        Elements.read(x, row * given, values, count);
        Elements.write(values, y, row * width + column, count);
      }
      column += form.columns()[input];
    }
  }
}
