package dev.cairn.runtime.backend;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies to and from a GPU through page-locked memory, because copies of other memory are not asynchronous. A large
 * copy goes in pieces through two buffers: the host fills one while the device copies the other. Thread-safe; owns the
 * page-locked memory.
 */
final class CudaTransfers implements Transfers, AutoCloseable {
  private static final long PIECE_BYTES = 4L << 20;

  private final CudaDevice device;
  private final CudaStream stream;
  private final PinnedSubAllocator source;
  private final Allocator staging;
  private final long[] marks = new long[2];
  /** For each other GPU, whether this one reaches its memory. */
  private final Map<CudaTransfers, Boolean> peers = new HashMap<>();
  private @Nullable Block buffers;

  CudaTransfers(CudaDevice device) {
    this.device = device;
    this.stream = device.newStream("transfers");
    this.source = PinnedSubAllocator.of(device.id().ordinal());
    this.staging = new BfcAllocator(source, BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED));
  }

  @Override
  public MemorySegment segment(Block block) {
    return MemorySegment.ofAddress(block.address()).reinterpret(block.requestedBytes());
  }

  @Override
  public synchronized void upload(MemorySegment target, MemorySegment from) {
    requireSameLength(target, from);
    try {
      int turn = 0;
      for (long at = 0; at < from.byteSize(); at += PIECE_BYTES, turn = 1 - turn) {
        long bytes = Math.min(PIECE_BYTES, from.byteSize() - at);
        MemorySegment buffer = freeBuffer(turn).asSlice(0, bytes);
        buffer.copyFrom(from.asSlice(at, bytes));
        stream.copyToDevice(target.address() + at, buffer);
        marks[turn] = stream.record();
      }
    } finally {
      stream.synchronize();
    }
  }

  @Override
  public synchronized void download(MemorySegment target, MemorySegment from) {
    requireSameLength(target, from);
    for (long at = 0; at < from.byteSize(); at += PIECE_BYTES) {
      long bytes = Math.min(PIECE_BYTES, from.byteSize() - at);
      MemorySegment buffer = freeBuffer(0).asSlice(0, bytes);
      stream.copyToHost(buffer, from.address() + at);
      stream.synchronize();
      target.asSlice(at, bytes).copyFrom(buffer);
    }
  }

  @Override
  public synchronized boolean copyFromPeer(Transfers peer, MemorySegment target, MemorySegment from) {
    requireSameLength(target, from);
    if (!(peer instanceof CudaTransfers other) || !peers.computeIfAbsent(other, it -> device.reaches(it.device))) {
      return false;
    }
    stream.copyOnDevice(target.address(), from.address(), from.byteSize());
    stream.synchronize();
    return true;
  }

  private static void requireSameLength(MemorySegment target, MemorySegment from) {
    if (target.byteSize() != from.byteSize()) {
      throw new IllegalArgumentException("source and target differ: sourceBytes=%d targetBytes=%d".formatted(from
        .byteSize(), target.byteSize()));
    }
  }

  /** Returns one of the two buffers after waiting for its last copy, which takes less than a millisecond. */
  private MemorySegment freeBuffer(int turn) {
    Block both = buffers;
    if (both == null) {
      both = staging.allocate(2 * PIECE_BYTES, "transfers");
      buffers = both;
    }
    while (marks[turn] > 0 && !stream.hasPassed(marks[turn])) {
      Thread.onSpinWait();
    }
    return both.segment().asSlice(turn * PIECE_BYTES, PIECE_BYTES);
  }

  @Override
  public Allocator staging() {
    return staging;
  }

  @Override
  public void enqueueUpload(Stream on, MemorySegment target, MemorySegment from) {
    requireSameLength(target, from);
    cuda(on).copyToDevice(target.address(), from);
  }

  @Override
  public void enqueueCopy(Stream on, MemorySegment target, MemorySegment from) {
    requireSameLength(target, from);
    cuda(on).copyOnDevice(target.address(), from.address(), from.byteSize());
  }

  @Override
  public void enqueueDownload(Stream on, MemorySegment target, MemorySegment from) {
    requireSameLength(target, from);
    cuda(on).copyToHost(target, from.address());
  }

  @Override
  public void enqueueFlag(Stream on, MemorySegment target, boolean value) {
    cuda(on).fill(target.address(), (byte) (value ? 1 : 0), 1);
  }

  /** In two halves, whose values travel with the calls: no memory of the host has to stay as it is. */
  @Override
  public void enqueueNumber(Stream on, MemorySegment target, long value) {
    cuda(on).fillInts(target.address(), (int) value, 1);
    cuda(on).fillInts(target.address() + Integer.BYTES, (int) (value >>> Integer.SIZE), 1);
  }

  private static CudaStream cuda(Stream stream) {
    if (stream instanceof CudaStream cuda) {
      return cuda;
    }
    throw new IllegalArgumentException("not a stream of CUDA: stream=" + stream);
  }

  @Override
  public synchronized void close() {
    Block both = buffers;
    if (both != null) {
      staging.free(both);
      buffers = null;
    }
    try {
      staging.close();
    } catch (RuntimeException e) {
      // The driver may not have taken a region back; blocks that are in use are refused again.
      staging.close();
    }
    source.close();
  }
}
