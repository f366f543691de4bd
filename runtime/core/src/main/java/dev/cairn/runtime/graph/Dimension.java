package dev.cairn.runtime.graph;

/**
 * One extent of a model's input as the model declares it: known, or a name that is bound when the model is compiled.
 */
public sealed interface Dimension {

  /** An extent that the model fixes. */
  record Fixed(long extent) implements Dimension {
    public Fixed {
      if (extent < 0) {
        throw new IllegalArgumentException("negative extent: extent=" + extent);
      }
    }

    @Override
    public String toString() {
      return Long.toString(extent);
    }
  }

  /** An extent left open; inputs that name the same symbol must agree. */
  record Symbol(String name) implements Dimension {
    @Override
    public String toString() {
      return name;
    }
  }
}
