package dev.cairn.runtime.cli;

import dev.cairn.allocator.Printable;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn ops}: what is supported; with a model, whether all that it needs is. */
@Command
final class OpsCommand extends CairnCommand {
  private static final int MOST_KINDS = 10;
  private static final int MOST_REASON_CHARS = 50;
  private static final int MOST_NAME_CHARS = 40;

  @Mixin
  private ModelOption model = new ModelOption();
  @Option(names = "--nodes", description = "List every node that is not supported, not the kinds of them.")
  private boolean nodes;

  @Override
  ExitCode execute() {
    return model.isNamed() ? ofModel() : all();
  }

  private ExitCode all() {
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      return all(compiler.catalog());
    }
  }

  private ExitCode all(KernelCatalog catalog) {
    var table = new Table("operator", "element types", "kernels");
    Map<String, Object> operators = new LinkedHashMap<>();
    for (String name : StandardOperators.table().names()) {
      List<String> types = catalog.dtypes(name).stream().map(Object::toString).toList();
      String twins = catalog.rows(name).stream().map(KernelRow::twin).distinct().map(it -> it.name().toLowerCase(
        Locale.ROOT)).collect(Collectors.joining(" "));
      table.row(name, types.isEmpty() ? "all: nothing runs" : String.join(" ", types), twins);
      operators.put(name, types);
    }
    for (String name : ContainerOperators.names()) {
      table.row(name, "sequences, optionals and maps", "host");
      operators.put(name, List.of());
    }
    Map<String, Object> document = Json.document("ops");
    document.put("operators", operators);
    print(table.text(""), document);
    return ExitCode.OK;
  }

  private ExitCode ofModel() {
    Map<String, Object> document = Json.document("ops");
    document.put("model", model.name());
    try {
      Graph graph = model.load();
      Verdict verdict = verdict(graph);
      var table = new Table("operator", "uses");
      counts(graph).forEach(table::row);
      document.put("operators", counts(graph));
      document.put("typesChecked", verdict == Verdict.CHECKED);
      document.put("gaps", List.of());
      print(verdict.words + System.lineSeparator() + table.text("  "), document);
      return ExitCode.OK;
    } catch (UnsupportedOperators e) {
      document.put("gaps", e.gaps().stream().map(OpsCommand::gap).toList());
      print(nodes ? byNode(e) : byKind(e), document);
      throw e;
    }
  }

  private static String byNode(UnsupportedOperators error) {
    var table = new Table("node", "operator", "what is missing");
    error.gaps().forEach(it -> table.row(it.node(), it.operator(), it.reason()));
    return table.text("");
  }

  /** On one screen, with the three lines of the failure. */
  private static String byKind(UnsupportedOperators error) {
    var table = new Table("nodes", "operator", "what is missing", "first node");
    List<UnsupportedOperators.Kind> kinds = error.kinds();
    kinds.stream().limit(MOST_KINDS).forEach(it -> table.row(it.nodes().size(), Printable.of(it.operator(),
      MOST_NAME_CHARS), Printable.of(it.reason(), MOST_REASON_CHARS),
      Printable.of(it.nodes().getFirst(),
        MOST_NAME_CHARS)));
    int more = kinds.size() - MOST_KINDS;
    return table.text("") + (more <= 0
      ? ""
      : "and %d other kinds: --nodes lists every node%n".formatted(more));
  }

  private static Map<String, String> gap(UnsupportedOperators.Gap gap) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("node", gap.node());
    row.put("operator", gap.operator());
    row.put("reason", gap.reason());
    return row;
  }

  /** How far it is known that all can be run. */
  private enum Verdict {
    CHECKED("every operator is supported, with these element types"),
    SHAPES_OPEN(
      "every operator is supported; give --shapes for all open dimensions to check element types"),
    VALUES_OPEN("every operator is supported; element types are checked when the model runs, because shapes depend "
      + "on values");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }
  }

  /** @throws UnsupportedOperators when the model's types are known, and there is no kernel for those of some node */
  private Verdict verdict(Graph graph) {
    if (model.shapes().isEmpty() && graph.inputs().stream().anyMatch(OpsCommand::isOpen)) {
      return Verdict.SHAPES_OPEN;
    }
    try (ModelCompiler compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      compiler.compile(graph, InputTypes.of(graph, model.shapes()), CompileOptions.DEFAULT.withPlanner(
        PlannerChoice.NAIVE));
      return Verdict.CHECKED;
    } catch (ValueDependentShape e) {
      return Verdict.VALUES_OPEN;
    }
  }

  private static boolean isOpen(Node input) {
    return input.kind() instanceof NodeKind.Input(var type) && type.known().isEmpty();
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
