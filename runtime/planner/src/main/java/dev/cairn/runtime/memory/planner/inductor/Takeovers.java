package dev.cairn.runtime.memory.planner.inductor;

/** What else may forbid that one buffer takes another's bytes over, beyond what Inductor knows of. */
interface Takeovers {
  /** Forbids nothing. */
  Takeovers ALL = new Takeovers() {
    @Override
    public boolean allows(LineBuffer freed, LineBuffer next) {
      return true;
    }

    @Override
    public void taken(LineBuffer freed, LineBuffer next) {}
  };

  /** Whether it may; if not, the buffer freed before that one is asked about. */
  boolean allows(LineBuffer freed, LineBuffer next);

  /** It has. */
  void taken(LineBuffer freed, LineBuffer next);
}
