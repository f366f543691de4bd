package dev.cairn.benchmarks.allocator.arena;

/** Whose allocator. There are two on purpose: a call through {@link Arena} is inlined for two, and for no third. */
public enum ArenaKind {
  /** Cairn's, with all that is on by default. */
  CAIRN,
  /** ONNX Runtime's. */
  ORT;

  /** A new one, with nothing granted. */
  public Arena open() {
    return switch (this) {
      case CAIRN -> CairnArena.open();
      case ORT -> OrtArena.open();
    };
  }
}
