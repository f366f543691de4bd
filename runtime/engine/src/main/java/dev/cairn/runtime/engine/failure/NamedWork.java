package dev.cairn.runtime.engine.failure;

/** Work as errors name it. */
public interface NamedWork {
  /** The name that the program gave it. */
  String name();

  /** Where the program pushed it. */
  String site();
}
