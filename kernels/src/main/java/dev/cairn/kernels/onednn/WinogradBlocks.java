package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.cpu.vector.WinogradTiles;

/** A convolution by Winograd's algorithm, ready to run: block by block of its tiles. */
final class WinogradBlocks implements Prepared {
  /** Channels of tiles that are worth a second thread. */
  private static final long GRAIN = 1 << 10;

  private final WinogradConvolution convolution;
  private final WinogradShape shape;
  private final KernelCall call;
  private final PreparedProgram product;
  private final long tileStride;
  private final long sumStride;

  /**
   * @param product of a block's tiles and the weights; closed with this
   * @param tileStride bytes from one of a block's 36 matrices to the next
   * @param sumStride the same of its sums
   */
  WinogradBlocks(WinogradConvolution convolution, KernelCall call, PreparedProgram product, long tileStride,
    long sumStride) {
    this.convolution = convolution;
    this.shape = convolution.shape();
    this.call = call;
    this.product = product;
    this.tileStride = tileStride;
    this.sumStride = sumStride;
  }

  @Override
  public void run() {
    call.workspace().asSlice(0, convolution.pixelBytes()).fill((byte) 0);
    CpuStream stream = CpuStream.of(call);
    long block = shape.tilesOfBlock();
    long all = shape.tiles();
    for (long first = 0; first < all; first += block) {
      long begin = first;
      long count = Math.min(block, all - first);
      stream.parallel(count, Math.max(1, GRAIN / shape.channels()), (from, end) -> read(begin, from, end));
      // In the last block the rest are the tiles of the block before: their sums are not read.
      product.run();
      stream.parallel(count, Math.max(1, GRAIN / shape.filters()), (from, end) -> write(begin, from, end));
    }
  }

  /** Transforms the tiles {@code [from, end)} of a block. */
  private void read(long begin, long from, long end) {
    var tiles = new WinogradTiles();
    long[] pixels = new long[WinogradShape.POINTS];
    long to = call.workspace().address() + convolution.tilesAt();
    for (long tile = from; tile < end; tile++) {
      place(begin + tile, pixels);
      tiles.read(pixels, shape.channels(), to + tile * convolution.pixelBytes(), tileStride);
    }
  }

  /** The addresses of a tile's pixels. */
  private void place(long tile, long[] pixels) {
    long pixelBytes = convolution.pixelBytes();
    long row = tile / shape.tileColumns() % shape.tileRows() * WinogradTiles.WRITTEN - shape.padTop();
    long column = tile % shape.tileColumns() * WinogradTiles.WRITTEN - shape.padLeft();
    long image = call.input(0).segment().address() + tile / (shape.tileRows() * shape.tileColumns()) * shape
      .rows() * shape.columns() * pixelBytes;
    long zeros = call.workspace().address();
    for (int i = 0; i < WinogradShape.POINTS; i++) {
      long y = row + i / WinogradTiles.READ;
      long x = column + i % WinogradTiles.READ;
      boolean isInside = y >= 0 && y < shape.rows() && x >= 0 && x < shape.columns();
      pixels[i] = isInside ? image + (y * shape.columns() + x) * pixelBytes : zeros;
    }
  }

  /** Writes the pixels of the tiles {@code [from, end)} of a block. */
  private void write(long begin, long from, long end) {
    var tiles = new WinogradTiles();
    long sums = call.workspace().address() + convolution.sumsAt(tileStride);
    long bias = convolution.hasBias() ? call.input(2).segment().address() : 0;
    long pixelBytes = (long) shape.filters() * Float.BYTES;
    long result = call.output(0).segment().address();
    for (long tile = from; tile < end; tile++) {
      long number = begin + tile;
      long row = number / shape.tileColumns() % shape.tileRows() * WinogradTiles.WRITTEN;
      long column = number % shape.tileColumns() * WinogradTiles.WRITTEN;
      long image = number / (shape.tileRows() * shape.tileColumns());
      long pixel = (image * shape.outRows() + row) * shape.outColumns() + column;
      tiles.write(sums + tile * pixelBytes, sumStride, shape.filters(), bias, convolution.least(),
        new WinogradTiles.Target(result + pixel * pixelBytes, shape.outColumns() * pixelBytes, (int) Math.min(
          WinogradTiles.WRITTEN, shape.outRows() - row), (int) Math.min(WinogradTiles.WRITTEN, shape.outColumns()
            - column)));
    }
  }

  @Override
  public void close() {
    product.close();
  }
}
