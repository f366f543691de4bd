package dev.cairn.runtime.graph;

/** One extent of an input as the model declares it: a number, or a symbol that compilation binds to a number. */
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

  /** An open extent; inputs with the same symbol have the same extent, unless their shapes say otherwise. */
  record Symbol(String name) implements Dimension {
    @Override
    public String toString() {
      return name;
    }
  }
}
