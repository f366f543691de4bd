package dev.cairn.kernels.attribute;

/**
 * How {@code ScatterElements} and {@code ScatterND} join updates with elements.
 *
 * @param reduction {@code none}, by default, {@code add}, {@code mul}, {@code max} or {@code min}
 */
public record ScatterForm(String reduction) {
  private static final String NONE = "none";

  public static ScatterForm of(Attributes attributes) {
    return new ScatterForm(attributes.getText("reduction", NONE));
  }

  /** Whether an update replaces its element. */
  public boolean replaces() {
    return reduction.equals(NONE);
  }
}
