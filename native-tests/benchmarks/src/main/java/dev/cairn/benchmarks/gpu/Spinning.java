package dev.cairn.benchmarks.gpu;

import dev.cairn.kernels.cuda.ArgumentBlock;
import dev.cairn.kernels.cuda.CudaEvent;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.CudaStream;
import dev.cairn.kernels.cuda.DeviceMemory;
import dev.cairn.kernels.cuda.LaunchShape;

/** A kernel that computes for a wanted time, on as many blocks as it is given. */
final class Spinning {
  private static final int BLOCK_THREADS = 256;
  private static final long FIRST_ROUNDS = 1_000;

  private final CudaFunction function;
  private final LaunchShape shape;
  private final ArgumentBlock arguments;

  private Spinning(CudaFunction function, int blocks, DeviceMemory memory) {
    this.function = function;
    this.shape = LaunchShape.of(blocks, BLOCK_THREADS);
    this.arguments = new ArgumentBlock(2).set(0, memory.address()).set(1, FIRST_ROUNDS);
  }

  /** Measures how long it takes, and sets it to take {@code millis} on this device. */
  static Spinning of(CudaFunction function, int blocks, DeviceMemory memory, CudaStream stream, double millis) {
    var spinning = new Spinning(function, blocks, memory);
    long rounds = FIRST_ROUNDS;
    // The second time the clock of the device is up, and the kernel so long that its start no longer counts.
    for (int i = 0; i < 3; i++) {
      double measured = Math.max(1e-3, spinning.millis(stream));
      rounds = Math.max(1, (long) (rounds * Math.min(1e4, millis / measured)));
      spinning.arguments.set(1, rounds);
    }
    return spinning;
  }

  void launch(CudaStream stream) {
    function.launch(stream, shape, arguments);
  }

  private double millis(CudaStream stream) {
    try (CudaEvent before = stream.device().newEvent(); CudaEvent after = stream.device().newEvent()) {
      before.record(stream);
      launch(stream);
      after.record(stream);
      after.synchronize();
      return before.millisUntil(after);
    }
  }
}
