package dev.cairn.kernels.cpu;

import dev.cairn.kernels.cpu.CpuStream.RangeBody;

/** Threads among which a loop is shared. */
interface LoopTeam extends AutoCloseable {
  /** As {@link CpuStream#parallel}. */
  void run(long count, long grain, RangeBody body);

  @Override
  void close();
}
