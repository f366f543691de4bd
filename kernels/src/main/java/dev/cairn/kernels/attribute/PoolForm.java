package dev.cairn.kernels.attribute;

/**
 * The attributes of pools and of their gradients that do not belong to the window. Defaults are those of ONNX operator
 * set 22.
 *
 * @param countsPadding attribute {@code count_include_pad} of {@code AveragePool}, by default 0: whether averages are
 *   over padding too
 * @param isColumnMajor attribute {@code storage_order} of {@code MaxPool}, by default 0: whether indexes count the
 *   elements of a channel column by column
 * @param order attribute {@code p} of {@code LpPool}, by default 2: which norm
 * @param averaged attribute {@code output_shape} of {@code AveragePoolGradient}: the spatial extents of the averaged
 *   images
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PoolForm(boolean countsPadding, boolean isColumnMajor, long order, long[] averaged) {
  public static PoolForm of(Attributes attributes) {
    return new PoolForm(attributes.getFlag("count_include_pad", false), attributes.getLong("storage_order", 0) == 1,
      attributes.getLong("p", 2), attributes.getLongs("output_shape"));
  }
}
