package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;

/** Shares the lines of a quantised tensor among threads, in blocks of {@link Elements#BLOCK} elements. */
final class QuantizedWalk {
  private QuantizedWalk() {}

  /** Takes some elements of a line. */
  @FunctionalInterface
  interface Block {
    void run(long line, long first, int count);
  }

  static void run(KernelCall call, QuantizedLines lines, long grain, Block body) {
    long blocks = Math.ceilDiv(lines.length(), (long) Elements.BLOCK);
    long blockLength = Math.max(1, Math.min(lines.length(), Elements.BLOCK));
    // Lines that end within a byte of the result are left to one thread.
    boolean shareBytes = lines.lines() > 1 && lines.length() % call.output(0).dtype().perByte() != 0;
    long least = shareBytes ? lines.lines() * blocks : Math.ceilDiv(grain, blockLength);
    CpuStream.of(call).parallel(lines.lines() * blocks, least, (begin, end) -> {
      for (long i = begin; i < end; i++) {
        long first = i % blocks * Elements.BLOCK;
        body.run(i / blocks, first, (int) Math.min(Elements.BLOCK, lines.length() - first));
      }
    });
  }
}
