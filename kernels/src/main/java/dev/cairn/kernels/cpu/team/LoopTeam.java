package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.cpu.team.CpuStream.RangeBody;

/** Threads among which a loop is shared. */
interface LoopTeam extends AutoCloseable {
  /** Like {@link CpuStream#parallel}. */
  void run(long count, long grain, RangeBody body);

  @Override
  void close();
}
