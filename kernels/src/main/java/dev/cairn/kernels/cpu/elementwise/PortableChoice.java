package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.UnitLoop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes elements one by one. */
record PortableChoice(int width) implements ChoiceLoop {
  @Override
  public void run(MemorySegment[] operands, MemorySegment target, Broadcast broadcast, long first, long end) {
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      run(operands, target, broadcast, runs);
    }
  }

  /** One run. */
  void run(MemorySegment[] operands, MemorySegment target, Broadcast broadcast, Broadcast.Runs runs) {
    var ofFirst = new UnitLoop(operands[1], target, width);
    var ofSecond = new UnitLoop(operands[2], target, width);
    for (long i = 0; i < runs.length(); i++) {
      boolean chosen = operands[0].get(ValueLayout.JAVA_BYTE, runs.offset(0) + i * broadcast.step(0)) != 0;
      int taken = chosen ? 1 : 2;
      (chosen ? ofFirst : ofSecond).one((runs.offset(taken) + i * broadcast.step(taken)) * width, (runs.output() + i)
        * width);
    }
  }
}
