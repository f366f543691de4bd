package dev.cairn.runtime.engine;

/** The work that deletes a variable. It is the last operation that the variable takes. */
record DeleteBody(Variable variable, Runnable work) implements Runnable {
  Operation operation(ExecutionPlace place) {
    return new Operation("delete " + variable.name(), Footprint.writing(variable), this, Traits.DELETE.withPlace(
      place));
  }

  @Override
  public void run() {
    work.run();
  }
}
