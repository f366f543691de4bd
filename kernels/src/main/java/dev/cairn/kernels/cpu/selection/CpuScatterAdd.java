package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.GatheredRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.IndexInput;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * {@code ScatterAdd(h, indices)}: the gradient of the data that {@code Gather}, {@code GatherElements} or {@code
 * GatherND} picked from (attribute {@code of}). Each element of {@code h} is added to zeros at its index, duplicates in
 * the order of the indices. Sums are taken in {@code double} and rounded once.
 */
public final class CpuScatterAdd implements Kernel {
  private static final long GRAIN = 1 << 12;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  @Override
  public long workspaceBytes(KernelSignature signature) {
    GatheredRows rows = GatheredRows.of(signature.attributes(), signature.input(1).shape());
    return rows.elements() ? 0 : (rows.targets() + 1 + rows.picks()) * Long.BYTES;
  }

  /** @throws IllegalArgumentException when an index is outside its axis */
  @Override
  public void run(KernelCall call) {
    GatheredRows rows = GatheredRows.of(call.attributes(), call.input(1).shape());
    if (call.output(0).elementCount() == 0) {
      return;
    }
    if (rows.elements()) {
      elements(call);
    } else {
      sort(call, rows);
      add(call, rows);
    }
  }

  /** Sorts the picks by their targets, after which the workspace has the first pick of each target, then the picks. */
  private static void sort(KernelCall call, GatheredRows rows) {
    MemorySegment starts = call.workspace().asSlice(0, (rows.targets() + 1) * Long.BYTES);
    MemorySegment picks = call.workspace().asSlice(starts.byteSize(), rows.picks() * Long.BYTES);
    starts.fill((byte) 0);
    for (long pick = 0; pick < rows.picks(); pick++) {
      long at = (target(call, rows, pick) + 1) * Long.BYTES;
      starts.set(LONG, at, starts.get(LONG, at) + 1);
    }
    for (long target = 0; target < rows.targets(); target++) {
      starts.set(LONG, (target + 1) * Long.BYTES, starts.get(LONG, (target + 1) * Long.BYTES) + starts.get(LONG, target
        * Long.BYTES));
    }
    for (long pick = rows.picks() - 1; pick >= 0; pick--) {
      long at = (target(call, rows, pick) + 1) * Long.BYTES;
      long place = starts.get(LONG, at) - 1;
      starts.set(LONG, at, place);
      picks.set(LONG, place * Long.BYTES, pick);
    }
  }

  private static long target(KernelCall call, GatheredRows rows, long pick) {
    var indexes = new IndexInput(call.input(1));
    if (rows.depth() == 0) {
      return indexes.at(pick, rows.targets());
    }
    Shape data = call.output(0).shape();
    long perBatch = rows.picks() / Math.max(1, rows.batches());
    return pick / perBatch * (rows.targets() / rows.batches()) + indexes.offset(pick * rows.depth(), data, rows
      .batchAxes(), rows.depth()) / rows.unit();
  }

  /** After {@link #sort}, entry {@code target + 1} of the starts is where the picks of {@code target} begin. */
  private static void add(KernelCall call, GatheredRows rows) {
    TensorView h = call.input(0);
    TensorView y = call.output(0);
    MemorySegment starts = call.workspace();
    long order = (rows.targets() + 1) * Long.BYTES;
    long count = rows.outer() * rows.targets();
    CpuStream.of(call).parallel(count, Math.max(1, GRAIN / Math.max(1, rows.unit())), (first, end) -> {
      double[] sum = new double[Elements.BLOCK];
      double[] term = new double[Elements.BLOCK];
      for (long row = first; row < end; row++) {
        long target = row % rows.targets();
        long from = starts.get(LONG, (target + 1) * Long.BYTES);
        long to = target + 1 < rows.targets() ? starts.get(LONG, (target + 2) * Long.BYTES) : rows.picks();
        for (long at = 0; at < rows.unit(); at += sum.length) {
          int width = (int) Math.min(sum.length, rows.unit() - at);
          Arrays.fill(sum, 0, width, 0);
          for (long pick = from; pick < to; pick++) {
            long source = row / rows.targets() * rows.picks() + starts.get(LONG, order + pick * Long.BYTES);
            Elements.read(h, source * rows.unit() + at, term, width);
            for (int i = 0; i < width; i++) {
              sum[i] += term[i];
            }
          }
          Elements.write(sum, y, row * rows.unit() + at, width);
        }
      }
    });
  }

  /** One line of the data along the axis at a time; indices may have fewer lines. */
  private static void elements(KernelCall call) {
    TensorView h = call.input(0);
    TensorView y = call.output(0);
    var indexes = new IndexInput(call.input(1));
    LinesAlong targets = LinesAlong.of(y.shape(), AxisForm.ofParts(call.attributes()).axis());
    LinesAlong sources = LinesAlong.of(h.shape(), AxisForm.ofParts(call.attributes()).axis());
    int axis = AxisForm.ofParts(call.attributes()).of(y.shape());
    CpuStream.of(call).parallel(targets.count(), targets.grain(GRAIN), (first, end) -> {
      double[] sums = new double[Math.toIntExact(targets.extent())];
      for (long line = first; line < end; line++) {
        Arrays.fill(sums, 0);
        long source = sameLine(line, y.shape(), h.shape(), axis);
        for (long i = 0; source >= 0 && i < sources.extent(); i++) {
          long at = sources.at(source, i);
          sums[(int) indexes.at(at, targets.extent())] += h.doubleAt(at);
        }
        targets.write(sums, y, line);
      }
    });
  }

  /** The number of the same line in a smaller tensor; -1 if it has no such line. */
  private static long sameLine(long line, Shape of, Shape smaller, int axis) {
    long rest = line;
    long number = 0;
    long step = 1;
    for (int i = of.rank() - 1; i >= 0; i--) {
      if (i != axis) {
        long position = rest % of.extent(i);
        if (position >= smaller.extent(i)) {
          return -1;
        }
        number += position * step;
        step *= smaller.extent(i);
        rest /= of.extent(i);
      }
    }
    return number;
  }
}
