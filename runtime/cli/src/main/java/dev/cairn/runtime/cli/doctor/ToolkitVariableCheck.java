package dev.cairn.runtime.cli.doctor;

import java.util.List;
import java.util.stream.Collectors;

/** The variables that say where CUDA is lead there. */
final class ToolkitVariableCheck implements Check {
  private static final String CHECK = "CUDA_HOME";

  @Override
  public Finding look(Host host) {
    List<ToolkitVariable> broken = host.toolkits().stream().filter(it -> !it.fault().isEmpty()).toList();
    if (!broken.isEmpty()) {
      String names = broken.stream().map(ToolkitVariable::name).collect(Collectors.joining(" and "));
      return new Finding(Severity.LOSS, CHECK, "%s %s nowhere useful".formatted(names, broken.size() == 1
        ? "leads"
        : "lead"), words(broken, true), "unset %s, or set it to a CUDA toolkit's folder, often /usr/local/cuda"
          .formatted(names));
    }
    return host.toolkits().isEmpty()
      ? Finding.fine(CHECK, "not set, and not needed", "")
      : Finding.fine(CHECK, "points to a toolkit", words(host.toolkits(), false));
  }

  private static String words(List<ToolkitVariable> variables, boolean withFault) {
    return variables.stream().map(it -> "%s=%s%s".formatted(it.name(), it.value(), withFault
      ? " (%s)".formatted(it.fault())
      : "")).collect(Collectors.joining(", "));
  }
}
