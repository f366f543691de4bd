package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.device.ProgramLocal;

/** Who owns new arrays: the innermost scope of the thread that makes them, or the caller. Thread-safe. */
final class ArrayOwners {
  private final Leaks leaks = new Leaks();
  /** The innermost open scope of each thread. */
  private final ProgramLocal<ArrayScope> scopes = new ProgramLocal<>();

  ArrayScope open(ArrayRuntime runtime) {
    var scope = new ArrayScope(runtime, scopes.get());
    scopes.set(scope);
    return scope;
  }

  @SuppressWarnings("ReferenceEquality")
  void closeInnermost(ArrayScope scope) {
    if (scopes.get() != scope) {
      throw new IllegalStateException("scopes close in reverse: an inner scope of this thread is open");
    }
    scopes.set(scope.outer());
  }

  /** Gives a new array to the innermost scope, or to the caller. */
  void own(NDArray array) {
    ArrayScope scope = scopes.get();
    if (scope == null) {
      leaveToCaller(array);
    } else {
      scope.add(array);
    }
  }

  void leaveToCaller(NDArray array) {
    array.setScope(null);
    if (!array.range().storage().isConstant) {
      leaks.watch(array);
    }
  }
}
