package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code TfIdfVectorizer} beside its {@link NgramPool}.
 *
 * @param mode {@code TF}, {@code IDF} or {@code TFIDF}; empty where it is missing, which the operator does not admit
 * @param isOfStrings whether the pool has strings, instead of whole numbers
 */
public record TermForm(String mode, boolean isOfStrings) {
  public static TermForm of(Attributes attributes) {
    return new TermForm(attributes.getText("mode", ""), attributes.has("pool_strings"));
  }
}
