package dev.cairn.runtime.memory;

import java.util.concurrent.FutureTask;

/** A thread whose stack has room for some thousand frames: what recurs once for each node or buffer overflows soon. */
public final class SmallStack {
  private static final long BYTES = 256 << 10;

  private SmallStack() {}

  public static void run(Runnable work) throws Exception {
    var task = new FutureTask<Void>(work, null);
    var thread = new Thread(null, task, "small stack", BYTES);
    thread.start();
    task.get();
  }
}
