package dev.cairn.langchain4j;

/** How the vectors of a text's tokens become the vector of the text. */
public enum Pooling {
  /** The mean over the tokens. */
  MEAN,
  /** The vector of the first token, which BERT calls {@code [CLS]}. */
  CLS
}
