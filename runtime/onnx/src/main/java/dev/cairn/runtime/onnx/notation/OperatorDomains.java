package dev.cairn.runtime.onnx.notation;

import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OnnxFacts;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorFacts;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Collections;
import java.util.Set;

/** In which domain an operator of the graph is defined; nearly all are ONNX's own, whose domain has no name. */
public final class OperatorDomains {
  private static final String SEPARATOR = "::";

  private OperatorDomains() {}

  /** Operators of classic machine learning that version 5 replaces by another: it has them, but for readers alone. */
  private static final Set<String> OF_CLASSIC_BEFORE_5 = Set.of("TreeEnsembleClassifier", "TreeEnsembleRegressor");

  /** The version of a domain in which a graph is written that has these operators of it. */
  public static long version(String domain, Set<String> operators) {
    if (!domain.equals(OnnxFacts.CLASSIC)) {
      return 1;
    }
    return Collections.disjoint(operators, OF_CLASSIC_BEFORE_5) || operators.contains("TreeEnsemble") ? 5 : 4;
  }

  /** The domain of an operator of a graph; that of a user's operator is part of its name. */
  public static String of(String operator) {
    int end = operator.indexOf(SEPARATOR);
    if (end >= 0) {
      return operator.substring(0, end);
    }
    return StandardOperators.table().find(operator).or(() -> ContainerOperators.find(operator)).map(
      OperatorDefinition::facts).orElse(OperatorFacts.NONE).onnx().domain();
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
