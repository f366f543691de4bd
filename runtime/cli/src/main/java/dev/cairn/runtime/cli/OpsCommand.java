package dev.cairn.runtime.cli;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.runtime.UnsupportedOperators;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.OutputOption;
import dev.cairn.runtime.cli.option.Verbosity;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn ops}: what is supported; with a model, whether all that it needs is. */
@Command
final class OpsCommand implements Callable<Integer>, HasVerbosity {
  @Spec
  private CommandSpec spec = CommandSpec.create();
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private OutputOption output = new OutputOption();
  @Mixin
  private Verbosity verbosity = new Verbosity();

  @Override
  public Verbosity verbosity() {
    return verbosity;
  }

  @Override
  public Integer call() {
    verbosity.apply();
    return model.isNamed() ? ofModel() : all();
  }

  private int all() {
    KernelCatalog catalog = StandardKernels.catalog();
    var table = new Table("operator", "element types", "kernels");
    Map<String, Object> operators = new LinkedHashMap<>();
    for (String name : StandardOperators.table().names()) {
      List<String> types = catalog.dtypes(name).stream().map(Object::toString).toList();
      String twins = catalog.rows(name).stream().map(KernelRow::twin).distinct().map(it -> it.name().toLowerCase(
        Locale.ROOT)).collect(Collectors.joining(" "));
      table.row(name, types.isEmpty() ? "all: nothing runs" : String.join(" ", types), twins);
      operators.put(name, types);
    }
    Map<String, Object> document = Json.document("ops");
    document.put("operators", operators);
    output.print(spec.commandLine().getOut(), table.text(""), document);
    return ExitCode.OK.number();
  }

  private int ofModel() {
    Map<String, Object> document = Json.document("ops");
    document.put("model", model.name());
    try {
      Map<String, Integer> counts = counts(model.load());
      var table = new Table("operator", "uses");
      counts.forEach(table::row);
      document.put("operators", counts);
      document.put("gaps", List.of());
      output.print(spec.commandLine().getOut(), "every operator is supported" + System.lineSeparator() + table.text("  "),
        document);
      return ExitCode.OK.number();
    } catch (UnsupportedOperators e) {
      var table = new Table("node", "operator", "what is missing");
      List<Map<String, String>> gaps = new ArrayList<>();
      for (UnsupportedOperators.Gap gap : e.gaps()) {
        table.row(gap.node(), gap.operator(), gap.reason());
        gaps.add(Map.of("node", gap.node(), "operator", gap.operator(), "reason", gap.reason()));
      }
      document.put("gaps", gaps);
      output.print(spec.commandLine().getOut(), table.text(""), document);
      throw e;
    }
  }

  /** How often each operator is used, by name. */
  static Map<String, Integer> counts(Graph graph) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply apply) {
        counts.merge(apply.operator(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
