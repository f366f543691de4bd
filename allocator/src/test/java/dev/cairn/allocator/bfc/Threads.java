package dev.cairn.allocator.bfc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same work on several threads and passes on the first failure. */
final class Threads {
  /** What one thread does. */
  interface Work {
    void run(int thread) throws Exception;
  }

  private Threads() {}

  static void run(int threads, Work work) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        done.add(pool.submit(() -> {
          work.run(thread);
          return true;
        }));
      }
      for (Future<?> one : done) {
        one.get();
      }
    }
  }
}
