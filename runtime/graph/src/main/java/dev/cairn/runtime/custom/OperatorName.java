package dev.cairn.runtime.custom;

import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form of the names of users' operators. */
final class OperatorName {
  private static final Pattern FORM = Pattern.compile("([A-Za-z_][\\w.-]*)::([A-Za-z_]\\w*)");
  private static final Set<String> OF_ONNX = Set.of("ai.onnx", "ai.onnx.ml", "com.microsoft");

  private OperatorName() {}

  /** @throws IllegalArgumentException when the name has no domain, or belongs to one of Cairn's operators */
  static String require(String name, int minInputs, int maxInputs, int results) {
    Matcher form = FORM.matcher(name);
    if (StandardOperators.table().find(name).isPresent() || (form.matches() && OF_ONNX.contains(form.group(1))
      && StandardOperators.table().find(form.group(2)).isPresent())) {
      throw new IllegalArgumentException("Cairn has an operator of this name: name=%s; use a domain of your own, as in "
        .formatted(name) + "my::" + name.substring(name.lastIndexOf(':') + 1));
    }
    if (form.matches() && form.group(1).equals("ai.onnx")) {
      throw new IllegalArgumentException("ai.onnx is ONNX's own domain, whose operators files name without a domain: "
        + "name=%s; use a domain of your own, as in my::%s".formatted(name, form.group(2)));
    }
    if (!form.matches()) {
      throw new IllegalArgumentException("an operator's name needs a domain, as in my::Square: name=" + name);
    }
    if (results < 1 || minInputs < 0 || maxInputs < minInputs) {
      throw new IllegalArgumentException("out of range: name=%s minInputs=%d maxInputs=%d results=%d".formatted(name,
        minInputs, maxInputs, results));
    }
    return name;
  }
}
