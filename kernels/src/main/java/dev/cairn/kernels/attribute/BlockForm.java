package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code DepthToSpace} and {@code SpaceToDepth}.
 *
 * @param size attribute {@code blocksize}: rows and columns of a block; 0 where the attribute is missing, which the
 *   operators do not admit
 * @param mode of {@code DepthToSpace}: {@code DCR}, by default, or {@code CRD}
 */
public record BlockForm(long size, String mode) {
  private static final String DEPTH_FIRST = "DCR";

  public static BlockForm of(Attributes attributes) {
    return new BlockForm(attributes.getLong("blocksize", 0), attributes.getText("mode", DEPTH_FIRST));
  }

  /** Whether the channels of a pixel of the result are apart by the number of pixels of a block. */
  public boolean isDepthFirst() {
    return mode.equals(DEPTH_FIRST);
  }
}
