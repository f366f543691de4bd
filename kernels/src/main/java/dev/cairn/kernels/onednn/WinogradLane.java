package dev.cairn.kernels.onednn;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.CpuStream;
import dev.cairn.kernels.cpu.vector.WinogradTiles;

/** A convolution by Winograd's algorithm, ready to run: block by block of its tiles. */
final class WinogradBlocks implements Prepared {
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

  /** A range of tiles. */
  private interface Range {
    void run(WinogradTiles tiles, long first, long end);
  }

  @Override
  public void run() {
    call.workspace().asSlice(0, convolution.pixelBytes()).fill((byte) 0);
    long block = shape.tilesOfBlock();
    for (long first = 0; first < shape.tiles(); first += block) {
      long begin = first;
      long count = Math.min(block, shape.tiles() - first);
      onAllThreads(count, (tiles, from, end) -> read(tiles, begin, from, end));
      // The last block may have fewer tiles: then the sums of tiles of the block before are not read.
      product.run();
      onAllThreads(count, (tiles, from, end) -> write(tiles, begin, from, end));
    }
  }

  /** Each part of the tiles has its own scratch memory, whichever thread computes it. */
  private void onAllThreads(long count, Range range) {
    int parts = convolution.engine().threads();
    CpuStream.of(call).parallel(parts, 1, (first, end) -> {
      for (int part = (int) first; part < end; part++) {
        var tiles = new WinogradTiles(call.workspace().address() + convolution.scratchAt(part), convolution.least());
        range.run(tiles, count * part / parts, count * (part + 1) / parts);
      }
    });
  }

  /** Transforms the tiles {@code [from, end)} of a block. */
  private void read(WinogradTiles tiles, long begin, long from, long end) {
    long to = call.workspace().address() + convolution.tilesAt();
    for (long tile = from; tile < end; tile++) {
      place(begin + tile, tiles);
      tiles.read(shape.channels(), to + tile * convolution.pixelBytes(), tileStride);
    }
  }

  /** Says where a tile's pixels lie. */
  private void place(long tile, WinogradTiles tiles) {
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
      tiles.setPixel(i, isInside ? image + (y * shape.columns() + x) * pixelBytes : zeros);
    }
  }

  /** Writes the pixels of the tiles {@code [from, end)} of a block. */
  private void write(WinogradTiles tiles, long begin, long from, long end) {
    long sums = call.workspace().address() + convolution.sumsAt();
    long bias = convolution.hasBias() ? call.input(2).segment().address() : 0;
    long pixelBytes = (long) shape.filters() * Float.BYTES;
    long result = call.output(0).segment().address();
    for (long tile = from; tile < end; tile++) {
      long number = begin + tile;
      long row = number / shape.tileColumns() % shape.tileRows() * WinogradTiles.WRITTEN;
      long column = number % shape.tileColumns() * WinogradTiles.WRITTEN;
      long image = number / (shape.tileRows() * shape.tileColumns());
      long pixel = (image * shape.outRows() + row) * shape.outColumns() + column;
      int rows = (int) Math.min(WinogradTiles.WRITTEN, shape.outRows() - row);
      int columns = (int) Math.min(WinogradTiles.WRITTEN, shape.outColumns() - column);
      tiles.write(sums + tile * pixelBytes, sumStride, shape.filters(), bias, new WinogradTiles.Target(result + pixel
        * pixelBytes, shape.outColumns() * pixelBytes, rows, columns));
    }
  }

  @Override
  public void close() {
    product.close();
  }
}
