package dev.cairn.kernels.attribute;

import dev.cairn.kernels.attribute.PointwiseProgram.Operand;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.tensor.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the text of a {@link PointwiseProgram}. Stateless. */
final class PointwiseText {
  private static final Pattern STEP = Pattern.compile("%(\\d{1,6}) = (\\w+)\\(([^()]*)\\) (\\w+)");
  private static final Pattern OPERAND = Pattern.compile("x(\\d{1,6})|%(\\d{1,6})|_");
  private static final String RETURN = "return ";

  private PointwiseText() {}

  /** @param attributes the attributes of all steps */
  static PointwiseProgram read(String text, Attributes attributes) {
    List<String> lines = List.of(text.split("; ", -1));
    List<Step> steps = new ArrayList<>();
    for (String line : lines.subList(0, lines.size() - 1)) {
      Matcher step = STEP.matcher(line);
      if (!step.matches() || Integer.parseInt(step.group(1)) != steps.size()) {
        throw fault(line);
      }
      steps.add(new Step(step.group(2), ofStep(attributes, steps.size()), dtype(step.group(4)), operands(step.group(
        3))));
    }
    String last = lines.getLast();
    if (!last.startsWith(RETURN)) {
      throw fault(last);
    }
    List<Integer> results = new ArrayList<>();
    for (Operand result : operands(last.substring(RETURN.length()))) {
      results.add(result instanceof PointwiseProgram.Value(int step) ? step : -1);
    }
    return new PointwiseProgram(steps, results);
  }

  private static List<Operand> operands(String text) {
    List<Operand> operands = new ArrayList<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(", ", -1)) {
      Matcher operand = OPERAND.matcher(word);
      if (!operand.matches()) {
        throw fault(word);
      }
      operands.add(operand.group(1) != null
        ? new PointwiseProgram.Input(Integer.parseInt(operand.group(1)))
        : operand.group(2) != null
          ? new PointwiseProgram.Value(Integer.parseInt(operand.group(2)))
          : new PointwiseProgram.Absent());
    }
    return operands;
  }

  private static DType dtype(String name) {
    return Arrays.stream(DType.values()).filter(it -> it.toString().equals(name.toLowerCase(Locale.ROOT))).findFirst()
      .orElseThrow(() -> fault(name));
  }

  private static Attributes ofStep(Attributes all, int step) {
    String prefix = step + ".";
    Attributes own = Attributes.NONE;
    for (var attribute : all.asMap().entrySet()) {
      if (attribute.getKey().startsWith(prefix)) {
        own = own.with(attribute.getKey().substring(prefix.length()), attribute.getValue());
      }
    }
    return own;
  }

  private static IllegalArgumentException fault(String part) {
    return new IllegalArgumentException("not a pointwise program: part=\"%s\"".formatted(part));
  }
}
