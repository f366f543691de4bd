package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code CenterCropPad}.
 *
 * @param axes the axes that are cropped or padded; empty where the node does not have the attribute, which means all
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CropForm(long[] axes) {
  public static CropForm of(Attributes attributes) {
    return new CropForm(attributes.getLongs("axes"));
  }

  /** The cropped or padded axes of a tensor with this many axes. */
  public long[] axes(int rank) {
    return axes.length > 0 ? axes : ResizeForm.all(rank);
  }
}
