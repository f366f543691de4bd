package dev.cairn.kernels.cpu.attention;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.ROWS;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.catalog.AttentionForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.product.MatrixPanels;
import dev.cairn.kernels.cpu.product.MatrixPanels.Extent;
import dev.cairn.kernels.cpu.product.MatrixVector.Rows;
import dev.cairn.kernels.cpu.product.TiledProduct;
import dev.cairn.kernels.cpu.team.SlicedTasks;
import dev.cairn.kernels.cpu.vector.RegisterTile;
import dev.cairn.kernels.cpu.vector.VectorRows;
import java.lang.foreign.MemorySegment;

/**
 * {@code Attention} of {@code float32}. A task is some queries of one head: their scores with all keys, which stay in
 * the cache of the processor that computes them, are normalised row by row and multiplied with the values. No matrix
 * of all scores ever exists.
 *
 * <pre> slice: | scores of the task | a packed panel | the sums of a tile | spare, for packing | </pre>
 *
 * Softmax and sums are by ascending key, so results depend on neither tasks nor threads.
 */
public final class VectorAttention implements Kernel {
  /** Scores that a task keeps, so that they fit the second-level cache beside their operands. */
  private static final int MOST_SCORES = 1 << 14;
  /** With fewer queries a task would pack the keys more often than it pays. */
  private static final int LEAST_QUERIES = 8 * ROWS;
  private static final int MOST_QUERIES = 16 * ROWS;
  private static final long SMALL_TERMS = 1 << 16;

  @Override
  public boolean accepts(KernelSignature signature) {
    return AttentionForm.isPlain(signature);
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return SlicedTasks.workspaceBytes(slice(AttentionHeads.of(signature.attributes(), signature.input(0).shape(),
      signature.input(1).shape(), signature.input(2).shape())).bytes());
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    AttentionHeads heads = AttentionHeads.of(signature.attributes(), signature.input(0).shape(), signature.input(1)
      .shape(), signature.input(2).shape());
    Slice slice = slice(heads);
    long row = slice.scoreRowBytes / Float.BYTES;
    // A call with fewer keys may give a task more queries, up to a number of scores.
    long scores = Math.min(Math.max(MOST_SCORES, LEAST_QUERIES * row), upToRows(heads.queries()) * row);
    long queries = Math.max(slice.queries, Math.ceilDiv(scores, row));
    return SlicedTasks.workspaceBytes(new Slice(Math.toIntExact(queries), slice.scoreRowBytes, slice.panelBytes)
      .bytes());
  }

  private static int upToRows(int queries) {
    return Math.ceilDiv(Math.max(1, queries), ROWS) * ROWS;
  }

  @Override
  public void run(KernelCall call) {
    AttentionHeads heads = AttentionHeads.of(call.attributes(), call.input(0).shape(), call.input(1).shape(), call
      .input(2).shape());
    if (call.output(0).elementCount() == 0) {
      return;
    }
    if (heads.keys() == 0) {
      call.output(0).segment().fill((byte) 0);
      return;
    }
    Slice slice = slice(heads);
    long products = (long) heads.batch() * heads.heads();
    int tasksOfHead = Math.ceilDiv(heads.queries(), slice.queries);
    boolean small = products * heads.queries() * heads.keys() * (heads.size() + heads.valueSize()) < SMALL_TERMS;
    var scores = new AttentionScores(call, heads);
    SlicedTasks.run(call, products * tasksOfHead, slice.bytes(), small, (task, memory) -> {
      long product = task / tasksOfHead;
      int first = (int) (task % tasksOfHead) * slice.queries;
      new Task(call, heads, slice, memory, (int) (product / heads.heads()), (int) (product % heads.heads()))
        .compute(scores, first, Math.min(heads.queries(), first + slice.queries));
    });
  }

  /** How the memory of a task is divided. */
  private record Slice(int queries, long scoreRowBytes, long panelBytes) {
    long panelStart() {
      return queries * scoreRowBytes;
    }

    long sumsStart() {
      return panelStart() + panelBytes;
    }

    long spareStart() {
      return sumsStart() + RegisterTile.SUMS_BYTES;
    }

    long bytes() {
      return spareStart() + MatrixPanels.SPARE_BYTES;
    }
  }

  private static Slice slice(AttentionHeads heads) {
    int row = Math.ceilDiv(Math.max(1, heads.keys()), LANES) * LANES;
    int most = Math.clamp((long) MOST_SCORES / row / ROWS * ROWS, LEAST_QUERIES, MOST_QUERIES);
    int queries = Math.min(most, upToRows(heads.queries()));
    int depth = Math.max(heads.size(), Math.min(heads.keys(), TiledProduct.DEPTH_BLOCK));
    return new Slice(queries, (long) row * Float.BYTES, (long) depth * COLUMNS * Float.BYTES);
  }

  /** Some queries of one head. */
  private record Task(KernelCall call, AttentionHeads heads, Slice slice, MemorySegment memory, int batch, int head) {
    void compute(AttentionScores scores, int first, int end) {
      int keys = scores.keysOf(end - 1);
      multiplyKeys(first, end, keys);
      for (int query = first; query < end; query++) {
        scores.normalize(memory, (query - first) * slice.scoreRowBytes / Float.BYTES, keys, new AttentionScores.Row(
          batch, head, query));
      }
      if (end - first > 1 && scores.isCausal() && isOdd(first + 1, keys)) {
        for (int query = first; query < end; query++) {
          multiplyValues(query, query + 1, scores.keysOf(query), (query - first) * slice.scoreRowBytes);
        }
      } else {
        multiplyValues(first, end, keys, 0);
      }
    }

    /**
     * Whether some values of these keys are infinite or no numbers. They may lie behind some queries of the task, and
     * not behind others; a share of nothing of them would be no number.
     */
    private boolean isOdd(int firstKey, int endKey) {
      for (int key = firstKey; key < endKey; key++) {
        long at = heads.value().at(batch, heads.keyHead(head), key);
        if (!VectorRows.isFinite(call.input(2).segment(), new VectorRows.Row(at, heads.valueSize()))) {
          return true;
        }
      }
      return false;
    }

    private void multiplyKeys(int first, int end, int keys) {
      long rowBytes = heads.query().rowStride() * Float.BYTES;
      long start = heads.query().at(batch, head, first) * Float.BYTES;
      var tile = new RegisterTile(call.input(0).segment(), rowBytes, memory, slice.sumsStart());
      long keyBytes = heads.key().rowStride() * Float.BYTES;
      for (int key = 0; key < keys; key += COLUMNS) {
        var columns = new Rows(call.input(1).segment(), heads.key().at(batch, heads.keyHead(head), key) * Float.BYTES,
          keyBytes);
        MatrixPanels.packColumns(columns, new Extent(heads.size(), keys - key), memory, slice.panelStart(), slice
          .spareStart());
        for (int row = 0; row < end - first; row += ROWS) {
          int rows = Math.min(ROWS, end - first - row);
          tile.left(start + row * rowBytes, rows, heads.size());
          long at = row * slice.scoreRowBytes + (long) key * Float.BYTES;
          add(tile, rows, Math.min(COLUMNS, keys - key), new Rows(memory, at, slice.scoreRowBytes), true);
        }
      }
    }

    /** @param scores where the shares of the first query begin */
    private void multiplyValues(int first, int end, int keys, long scores) {
      long rowBytes = heads.result().rowStride() * Float.BYTES;
      long start = heads.result().at(batch, head, first) * Float.BYTES;
      long valueBytes = heads.value().rowStride() * Float.BYTES;
      var tile = new RegisterTile(memory, slice.scoreRowBytes, memory, slice.sumsStart());
      for (int column = 0; column < heads.valueSize(); column += COLUMNS) {
        for (int key = 0; key < keys; key += TiledProduct.DEPTH_BLOCK) {
          int terms = Math.min(TiledProduct.DEPTH_BLOCK, keys - key);
          long from = (heads.value().at(batch, heads.keyHead(head), key) + column) * Float.BYTES;
          MatrixPanels.packRows(call.input(2).segment(), from, valueBytes, new Extent(terms, heads.valueSize()
            - column), memory, slice.panelStart());
          for (int row = 0; row < end - first; row += ROWS) {
            int rows = Math.min(ROWS, end - first - row);
            tile.left(scores + row * slice.scoreRowBytes + (long) key * Float.BYTES, rows, terms);
            long at = start + row * rowBytes + (long) column * Float.BYTES;
            add(tile, rows, Math.min(COLUMNS, heads.valueSize() - column), new Rows(call.output(0).segment(), at,
              rowBytes), key == 0);
          }
        }
      }
    }

    private void add(RegisterTile tile, int rows, int columns, Rows to, boolean sets) {
      if (columns > LANES) {
        tile.multiplyWide(memory, slice.panelStart());
      } else {
        tile.multiplyNarrow(memory, slice.panelStart());
      }
      for (int i = 0; i < rows; i++) {
        tile.addTo(to.segment(), to.row(i), i, columns, sets, 0);
      }
    }
  }
}
