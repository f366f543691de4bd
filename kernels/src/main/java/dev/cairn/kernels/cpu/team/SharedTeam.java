package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.cpu.team.CpuStream.RangeBody;
import dev.cairn.kernels.device.ThreadTeam;

/** Loops on the threads of a library. */
record SharedTeam(ThreadTeam team, int threads) implements LoopTeam {
  @Override
  public void run(long count, long grain, RangeBody body) {
    if (Loop.isSmall(count, grain)) {
      Loop.alone(count, body);
      return;
    }
    Loop loop = Loop.of(count, grain, threads, body);
    team.runOnAll(loop::help);
    loop.awaitHelpers();
    loop.throwFailure();
  }

  @Override
  public void close() {}
}
