package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code ByteTable(x, table)}: for each byte of x, the byte of a table of 256 that has this number, unsigned. The
 * compiler makes it of functions between quantised tensors. The result may lie over x.
 */
public final class CpuByteTable implements Kernel {
  public static final String OPERATOR = "ByteTable";

  private static final int BLOCK = 1 << 12;
  private static final int ENTRIES = 1 << Byte.SIZE;

  @Override
  public void run(KernelCall call) {
    MemorySegment from = call.input(0).segment();
    MemorySegment to = call.output(0).segment();
    long count = call.output(0).elementCount();
    byte[] table = call.input(1).segment().asSlice(0, ENTRIES).toArray(ValueLayout.JAVA_BYTE);
    CpuStream.of(call).parallel(Math.ceilDiv(count, BLOCK), 2, (first, end) -> {
      byte[] block = new byte[BLOCK];
      for (long number = first; number < end; number++) {
        int size = (int) Math.min(BLOCK, count - number * BLOCK);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, number * BLOCK, block, 0, size);
        for (int i = 0; i < size; i++) {
          block[i] = table[block[i] & 0xff];
        }
        MemorySegment.copy(block, 0, to, ValueLayout.JAVA_BYTE, number * BLOCK, size);
      }
    });
  }
}
