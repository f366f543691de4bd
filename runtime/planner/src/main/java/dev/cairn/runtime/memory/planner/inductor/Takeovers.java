package dev.cairn.runtime.memory.planner.inductor;

/** The conditions, beyond those of Inductor, under which one buffer may not take over another's bytes. */
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
