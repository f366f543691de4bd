package dev.cairn.runtime.backend;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Stream;
import java.lang.foreign.MemorySegment;

/** Transfers of a device whose kernels use host memory: plain copies without staging. */
public enum HostTransfers implements Transfers {
  /** The only instance: it has no state. */
  INSTANCE;

  @Override
  public MemorySegment segment(Block block) {
    return block.segment();
  }

  @Override
  public void upload(MemorySegment target, MemorySegment source) {
    target.copyFrom(source);
  }

  @Override
  public void download(MemorySegment target, MemorySegment source) {
    target.copyFrom(source);
  }

  @Override
  public Allocator staging() {
    throw new UnsupportedOperationException("the host's memory is not staged");
  }

  @Override
  public void enqueueUpload(Stream stream, MemorySegment target, MemorySegment source) {
    throw new UnsupportedOperationException("the host's memory is not staged");
  }

  @Override
  public void enqueueCopy(Stream stream, MemorySegment target, MemorySegment source) {
    throw new UnsupportedOperationException("the host's memory is not staged");
  }

  @Override
  public void enqueueDownload(Stream stream, MemorySegment target, MemorySegment source) {
    throw new UnsupportedOperationException("the host's memory is not staged");
  }

  @Override
  public void enqueueFlag(Stream stream, MemorySegment target, boolean value) {
    throw new UnsupportedOperationException("the host's memory is not staged");
  }

  @Override
  public void enqueueNumber(Stream stream, MemorySegment target, long value) {
    throw new UnsupportedOperationException("the host's memory is not staged");
  }
}
