package dev.cairn.runtime.executor;

import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.backend.Transfers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * How a step that runs bodies reads conditions and counts, and writes and copies its memory. Reading takes two calls:
 * {@link #fetch} each value, then {@link #await} them together. Copies and writes run in the order of the step's
 * stream.
 */
sealed interface ControlMemory extends AutoCloseable {
  /** The values that a step may fetch together. */
  int SLOTS = 2;

  /** Memory of a target, by the stream of one step. The step closes it. */
  static ControlMemory of(RunTarget target, Stream stream) {
    return target.isHost() ? new OnHost() : new OnDevice(target.transfers(), stream);
  }

  /** Begins to read one value into a slot. */
  void fetch(int slot, TensorView value);

  /** Waits for all values that are being read. */
  void await();

  /** A boolean that was read. */
  boolean flag(int slot);

  /** An integer of 64 bits that was read. */
  long number(int slot);

  void setFlag(TensorView target, boolean value);

  void setNumber(TensorView target, long value);

  /** Copies as many bytes as the target has. */
  void copy(MemorySegment target, MemorySegment source);

  @Override
  void close();

  /** Memory that the host reads directly. */
  final class OnHost implements ControlMemory {
    private final long[] fetched = new long[SLOTS];

    @Override
    public void fetch(int slot, TensorView value) {
      MemorySegment source = value.segment();
      fetched[slot] = value.type().bytes() == 1 ? source.get(ValueLayout.JAVA_BYTE, 0) : value.longAt(0);
    }

    @Override
    public void await() {
      // The values are in the host's memory.
    }

    @Override
    public boolean flag(int slot) {
      return fetched[slot] != 0;
    }

    @Override
    public long number(int slot) {
      return fetched[slot];
    }

    @Override
    public void setFlag(TensorView target, boolean value) {
      target.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (value ? 1 : 0));
    }

    @Override
    public void setNumber(TensorView target, long value) {
      target.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
    }

    @Override
    public void copy(MemorySegment target, MemorySegment source) {
      target.copyFrom(source);
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  /** Memory of a GPU. Values come by way of page-locked memory; the host waits for the stream once for all of them. */
  final class OnDevice implements ControlMemory {
    private final Transfers transfers;
    private final Stream stream;
    private final Block block;
    private final MemorySegment values;

    private OnDevice(Transfers transfers, Stream stream) {
      this.transfers = transfers;
      this.stream = stream;
      this.block = transfers.staging().allocate((long) SLOTS * Long.BYTES, "conditions");
      this.values = block.segment();
    }

    @Override
    public void fetch(int slot, TensorView value) {
      MemorySegment source = value.segment().asSlice(0, value.type().bytes());
      transfers.enqueueDownload(stream, values.asSlice((long) slot * Long.BYTES, source.byteSize()), source);
    }

    @Override
    public void await() {
      stream.synchronize();
    }

    @Override
    public boolean flag(int slot) {
      return values.get(ValueLayout.JAVA_BYTE, (long) slot * Long.BYTES) != 0;
    }

    @Override
    public long number(int slot) {
      return values.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) slot * Long.BYTES);
    }

    @Override
    public void setFlag(TensorView target, boolean value) {
      transfers.enqueueFlag(stream, target.segment(), value);
    }

    @Override
    public void setNumber(TensorView target, long value) {
      transfers.enqueueNumber(stream, target.segment(), value);
    }

    @Override
    public void copy(MemorySegment target, MemorySegment source) {
      if (target.byteSize() > 0) {
        transfers.enqueueCopy(stream, target, source.asSlice(0, target.byteSize()));
      }
    }

    @Override
    public void close() {
      transfers.staging().free(block);
    }
  }
}
