package dev.cairn.runtime.onnx.notation;

import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.family.StandardOperators;

/** In which domain an operator of the graph is defined; nearly all are ONNX's own, whose domain has no name. */
public final class OperatorDomains {
  private static final String SEPARATOR = "::";

  private OperatorDomains() {}

  /** The version of a domain in which graphs are written. */
  public static long version(String domain) {
    return domain.equals(OnnxFacts.CLASSIC) ? 5 : 1;
  }

  /** The domain of an operator of a graph; that of a user's operator is part of its name. */
  public static String of(String operator) {
    int end = operator.indexOf(SEPARATOR);
    if (end >= 0) {
      return operator.substring(0, end);
    }
    return StandardOperators.table().facts(operator).onnx().domain();
  }

  /** The name of an operator of a graph within its domain. */
  public static String typeOf(String operator) {
    int end = operator.indexOf(SEPARATOR);
    return end >= 0 ? operator.substring(end + SEPARATOR.length()) : operator;
  }

  /** The name in graphs of an operator of a file. */
  public static String inGraph(String domain, String type) {
    return of(type).equals(domain) ? type : domain + SEPARATOR + type;
  }
}
