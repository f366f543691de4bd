package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.convolution.WinogradTiles;
import dev.cairn.kernels.cpu.vector.VectorWidth;
import dev.cairn.kernels.tensor.Shape;
import java.util.Optional;

/**
 * A convolution that Winograd's algorithm F(4x4, 3x3) can compute: windows of 3x3 without strides or dilations, on
 * images with their channels last.
 *
 * @param channels that are read
 * @param filters channels that are written
 * @param padTop padding before the first row
 * @param padLeft padding before the first column
 * @param outRows rows of the result
 */
record WinogradShape(long images, int channels, int rows, int columns, int filters, int padTop, int padLeft,
  int outRows, int outColumns) {
  /** Numbers that a tile has for each channel. */
  static final int POINTS = WinogradTiles.READ * WinogradTiles.READ;
  private static final int TAPS = 9;
  /** Bytes of the transformed tiles that are computed at a time: about half of a core's second cache. */
  private static final long BLOCK_BYTES = 1L << 20;
  private static final int FEWEST_ROWS = 16;
  /** With fewer tiles at a time the weights, which are read once for each block, would take the time. */
  private static final long FEWEST_TILES = 32;

  /**
   * @param plain a convolution's signature, with images as {@code N,C,H,W}
   * @return empty where the algorithm does not apply
   */
  static Optional<WinogradShape> of(KernelSignature plain) {
    if (VectorWidth.bits().isEmpty()) {
      return Optional.empty();
    }
    Shape x = plain.input(0).shape();
    Shape y = plain.output(0).shape();
    SlidingWindow window = SlidingWindow.ofWeights(plain.attributes(), x, plain.input(1).shape());
    if (ConvolutionGroups.of(plain.attributes(), x, plain.input(1).shape()).groups() != 1 || !isThreeWide(window, 0)
      || !isThreeWide(window, 1) || x.extent(1) % WinogradTiles.LANES != 0 || y.extent(
        1) % WinogradTiles.LANES != 0) {
      return Optional.empty();
    }
    return Optional.of(new WinogradShape(x.extent(0), (int) x.extent(1), (int) x.extent(2), (int) x.extent(3), (int) y
      .extent(1), window.padBegin(0), window.padBegin(1), window.outputExtent(0), window.outputExtent(1)));
  }

  private static boolean isThreeWide(SlidingWindow window, int axis) {
    return window.kernel(axis) == 3 && window.stride(axis) == 1 && window.dilation(axis) == 1;
  }

  long tileRows() {
    return Math.ceilDiv(outRows, WinogradTiles.WRITTEN);
  }

  long tileColumns() {
    return Math.ceilDiv(outColumns, WinogradTiles.WRITTEN);
  }

  long tiles() {
    return images * tileRows() * tileColumns();
  }

  /**
   * Among how many lanes the tiles are shared: one for each thread, or one that all threads work on together. A lane of
   * its own reads all weights, but needs no other thread's transforms and waits for no other thread. It is worth its
   * while where weights are fewer than the numbers that threads would exchange.
   */
  int lanes(int threads) {
    boolean hasRows = tiles() >= (long) FEWEST_ROWS * threads;
    return hasRows && 2L * channels * filters <= tiles() * (channels + filters) ? threads : 1;
  }

  /** How many tiles a lane transforms, multiplies and transforms back at a time. */
  long tilesOfBlock(int lanes) {
    long most = Math.max(FEWEST_TILES, BLOCK_BYTES / ((long) POINTS * Float.BYTES * (channels + filters)));
    long tiles = Math.ceilDiv(tiles(), lanes);
    return Math.ceilDiv(tiles, Math.ceilDiv(tiles, most));
  }

  /**
   * Whether it takes less time than the direct algorithm: with at least half of the multiplications saved, and matrices
   * of as many rows as products are fast for. A rule, and no measurement: a plan always has the same kernels.
   */
  boolean isWorthIt() {
    return tiles() >= FEWEST_ROWS && 2 * POINTS * tiles() <= TAPS * images * outRows * outColumns;
  }
}
