package dev.cairn.runtime.engine;

/**
 * The work that deletes a variable. From its turn on the variable is gone: what another thread pushed before the delete
 * was announced, and handed over after it, fails instead of touching what the work gives back.
 */
record DeleteBody(Variable variable, Runnable work) implements Runnable {
  Operation operation(ExecutionPlace place) {
    return new Operation("delete " + variable.name(), Footprint.writing(variable), this, Traits.DELETE.withPlace(
      place));
  }

  @Override
  public void run() {
    run(variable, work);
  }

  static void run(Variable variable, Runnable work) {
    try {
      variable.setGone();
    } finally {
      // Deletes always run, also where the heap has no room to say so.
      work.run();
    }
  }
}
