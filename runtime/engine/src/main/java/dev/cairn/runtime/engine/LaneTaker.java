package dev.cairn.runtime.engine;

/** The taker's end of a lane, on a cache line of its own. */
@SuppressWarnings("unused")
abstract class LaneTaker {
  OperationBlock head;
  volatile int taking;
  private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

  LaneTaker(OperationBlock stub) {
    this.head = stub;
  }
}
