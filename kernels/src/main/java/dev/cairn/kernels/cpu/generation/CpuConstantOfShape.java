package dev.cairn.kernels.cpu.generation;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.NarrowElements;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * {@code ConstantOfShape(shape)}: every element is the one of the attribute {@code value}, or 0 where that is left
 * out.
 */
public final class CpuConstantOfShape implements Kernel {
  /** Elements that are written one by one. */
  private static final long FIRST = 16;

  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    switch (ConstantForm.of(call.attributes()).value()) {
      case null -> y.segment().fill((byte) 0);
      case AttributeValue.Tensor(TensorView value) -> fill(value, y);
      case AttributeValue other ->
        throw new IllegalArgumentException("attribute of another kind: name=value wanted=a tensor given=" + other);
    }
  }

  private static void fill(TensorView value, TensorView y) {
    if (value.dtype() != y.dtype() || value.elementCount() != 1) {
      throw new IllegalArgumentException("one element of the output's type: value=%s output=%s"
        .formatted(value.type(), y.type()));
    }
    long[] block = new long[Elements.BLOCK];
    if (y.dtype().isPacked()) {
      block[0] = NarrowElements.code(y.dtype(), value.segment(), 0);
    } else {
      Elements.read(Elements.bits(value), 0, block, 1);
    }
    Arrays.fill(block, block[0]);
    // Parts of bytes are not copied: the last byte may be used in part.
    long one = y.dtype().isPacked() ? y.elementCount() : Math.min(y.elementCount(), FIRST);
    for (long at = 0; at < one; at += block.length) {
      Elements.write(block, y, at, (int) Math.min(block.length, one - at));
    }
    repeat(y.segment(), y.dtype().bytes(one));
  }

  /** Copies the written part to the rest, twice as much each time: fast also before the JVM has compiled anything. */
  private static void repeat(MemorySegment bytes, long written) {
    long done = written;
    while (done < bytes.byteSize()) {
      long some = Math.min(done, bytes.byteSize() - done);
      MemorySegment.copy(bytes, 0, bytes, done, some);
      done += some;
    }
  }
}
