package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.CacheForm;
import dev.cairn.kernels.attribute.ReversalForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/** Operators on batches of sequences: {@code ReverseSequence}, {@code TensorScatter}. */
public final class CpuSequence {
  private CpuSequence() {}

  /**
   * {@code ReverseSequence(x, lengths)}: the first elements of each sequence, as many as its length, in the opposite
   * order.
   *
   * @throws IllegalArgumentException when a length is not in {@code [0, extent]}
   */
  public static void reverse(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    boolean timeFirst = ReversalForm.of(call.attributes()).timeAxis() == 0;
    Shape shape = x.shape();
    long batches = shape.extent(timeFirst ? 1 : 0);
    long steps = shape.extent(timeFirst ? 0 : 1);
    var units = new UnitLoop(x.segment(), y.segment(), shape.elementCount(2, shape.rank()) * x.dtype().bytes());
    for (long batch = 0; batch < batches && units.unit() > 0; batch++) {
      long length = call.input(1).longAt(batch);
      if (length < 0 || length > steps) {
        throw new IllegalArgumentException(
          "a length is outside the sequence: batch=%d length=%d extent=%d".formatted(batch, length, steps));
      }
      for (long step = 0; step < steps; step++) {
        long from = step < length ? length - 1 - step : step;
        units.one((timeFirst ? from * batches + batch : batch * steps + from) * units.unit(),
          (timeFirst ? step * batches + batch : batch * steps + step) * units.unit());
      }
    }
  }

  /**
   * {@code TensorScatter(cache, update, write_indices?)}: the cache with the update written along {@code axis} (default
   * -2), from the batch's index on. Mode {@code circular} continues at the beginning of the axis.
   *
   * @throws IllegalArgumentException when a linear update reaches beyond the axis, or an index is negative
   */
  public static void scatter(KernelCall call) {
    TensorView update = call.input(1);
    TensorView output = call.output(0);
    CpuIdentity.copy(CpuStream.of(call), call.input(0), output);
    Shape shape = output.shape();
    int axis = shape.axis(CacheForm.of(call.attributes()).axis());
    boolean circular = CacheForm.of(call.attributes()).isCircular();
    long extent = shape.extent(axis);
    long count = update.shape().extent(axis);
    long linesOfBatch = shape.elementCount(1, axis);
    var units = new UnitLoop(update.segment(), output.segment(), shape.elementCount(axis + 1, shape.rank()) * output
      .dtype().bytes());
    if (update.elementCount() == 0) {
      return;
    }
    for (long line = 0; line < shape.elementCount(0, axis); line++) {
      long start = call.has(2) ? call.input(2).longAt(line / linesOfBatch) : 0;
      if (start < 0 || start >= extent || (!circular && start + count > extent)) {
        throw new IllegalArgumentException("an update beyond the axis: batch=%d index=%d count=%d extent=%d"
          .formatted(line / linesOfBatch, start, count, extent));
      }
      for (long i = 0; i < count; i++) {
        units.one((line * count + i) * units.unit(), (line * extent + (start + i) % extent) * units.unit());
      }
    }
  }
}
