package dev.cairn.kernels.onednn;

import java.util.ArrayList;
import java.util.List;

/** Calls oneDNN, counts what is created and destroyed, and fails one call where that is asked for. */
final class CountedCalls implements OneDnnCalls {
  private final OneDnnCalls real;
  final List<String> made = new ArrayList<>();
  private int live;
  private int failing = -1;

  CountedCalls(OneDnnCalls real) {
    this.real = real;
  }

  /** Fails the call of this number, from now on counted from 0. */
  void failAt(int call) {
    made.clear();
    failing = call;
  }

  int live() {
    return live;
  }

  private boolean fails(String function) {
    made.add(function);
    return made.size() - 1 == failing;
  }

  @Override
  public int status(String function, Object... arguments) {
    boolean destroys = function.endsWith("_destroy");
    // An object that cannot be destroyed is lost: there is nothing to test.
    if (!destroys && fails(function)) {
      return 1;
    }
    int status = real.status(function, arguments);
    if (status == 0) {
      live += destroys ? -1 : function.contains("_create") ? 1 : 0;
    }
    return status;
  }

  @Override
  public int answer(String function, Object... arguments) {
    return real.answer(function, arguments);
  }

  @Override
  public long number(String function, Object... arguments) {
    return real.number(function, arguments);
  }

  @Override
  public int execute(long primitive, long stream, int count, long arguments) {
    return fails("execute") ? 1 : real.execute(primitive, stream, count, arguments);
  }

  @Override
  public int setHandle(long memory, long address) {
    return fails("setHandle") ? 1 : real.setHandle(memory, address);
  }

  @Override
  public void useThreads(int threads) {
    real.useThreads(threads);
  }

  @Override
  public void runOnAll(int threads, Runnable part) {
    real.runOnAll(threads, part);
  }

  @Override
  public void spin(int spins) {
    real.spin(spins);
  }
}
