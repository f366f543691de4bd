package dev.cairn.runtime.symbolfile;

import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * MXNet's symbols as JSON, of versions 0.8 to 1.9: nodes with {@code op} ({@code null} for a variable), {@code name},
 * {@code attrs} (older: {@code attr}, {@code param}) and {@code inputs}, and the outputs as {@code heads}.
 */
final class MxnetSymbolJson {
  private static final Map<String, MxnetNode.Conversion> CONVERSIONS = conversions();
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ModelSource source;
  private final List<List<Symbol>> converted = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  /** Nodes whose first result is read. */
  private final Set<Integer> readFirst = new HashSet<>();
  private final List<UnsupportedOperators.Gap> gaps = new ArrayList<>();

  /** The text breaks the format's rules. */
  static final class Damaged extends RuntimeException {
    private static final long serialVersionUID = 1;

    Damaged(String message) {
      super(message);
    }
  }

  MxnetSymbolJson(ModelSource source) {
    this.source = source;
  }

  private static Map<String, MxnetNode.Conversion> conversions() {
    Map<String, MxnetNode.Conversion> table = new HashMap<>();
    MxnetLayers.addTo(table);
    MxnetMath.addTo(table);
    MxnetShapes.addTo(table);
    return table;
  }

  Symbol symbol(byte[] text) {
    JsonNode root = parsed(text);
    for (JsonNode node : required(root, "nodes")) {
      convert(node);
    }
    List<Symbol> heads = new ArrayList<>();
    JsonNode listed = required(root, "heads");
    for (JsonNode head : listed) {
      heads.add(named(head, input(head, "heads"), listed));
    }
    if (!gaps.isEmpty()) {
      throw new UnsupportedOperators(gaps);
    }
    if (heads.isEmpty()) {
      throw new Damaged("it has no outputs");
    }
    return Symbol.group(heads.toArray(Symbol[]::new));
  }

  private JsonNode parsed(byte[] text) {
    try {
      JsonNode root = JSON.readTree(text);
      if (!root.isObject()) {
        throw new Damaged("no JSON object: source=" + source.name());
      }
      return root;
    } catch (JacksonException e) {
      throw new Damaged("no JSON: " + e.getOriginalMessage());
    }
  }

  private static JsonNode required(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || !value.isArray()) {
      throw new Damaged("a list is missing: field=" + field);
    }
    return value;
  }

  private void convert(JsonNode node) {
    String name = text(node, "name");
    String op = text(node, "op");
    names.add(name);
    if (op.equals("null")) {
      converted.add(List.of(Symbol.variable(name)));
      return;
    }
    List<Symbol> operands = new ArrayList<>();
    for (JsonNode input : required(node, "inputs")) {
      operands.add(input(input, name));
    }
    MxnetNode.Conversion conversion = CONVERSIONS.get(op);
    List<Symbol> results = List.of();
    if (conversion == null) {
      gaps.add(new UnsupportedOperators.Gap(name, op, "operator of MXNet without a counterpart"));
    } else {
      try {
        results = conversion.of(new MxnetNode(name, op, attributes(node), operands));
      } catch (MxnetNode.Unsupported unsupported) {
        gaps.add(new UnsupportedOperators.Gap(name, op, String.valueOf(unsupported.getMessage())));
      }
    }
    boolean named = results.size() == 1 && !operands.contains(results.get(0));
    converted.add(named ? List.of(results.get(0).named(name)) : results);
  }

  /**
   * An output, which has the name of its node: also where it is not the first result, if nothing reads the first.
   */
  private Symbol named(JsonNode head, Symbol output, JsonNode heads) {
    int node = head.path(0).asInt(-1);
    boolean isSecond = head.path(1).asInt(0) > 0;
    boolean isOnly = !readFirst.contains(node) && heads.valueStream().filter(it -> it.path(0).asInt(-1) == node)
      .count() == 1;
    return isSecond && isOnly ? output.named(names.get(node)) : output;
  }

  /** A node and one of its results; older files say nothing of versions behind them. */
  private Symbol input(JsonNode input, String reader) {
    int node = input.path(0).asInt(-1);
    int index = input.path(1).asInt(0);
    if (node < 0 || node >= converted.size()) {
      throw new Damaged("a node reads one that does not come before it: reader=%s input=%d".formatted(reader, node));
    }
    List<Symbol> results = converted.get(node);
    if (index == 0) {
      readFirst.add(node);
    }
    if (results.isEmpty()) {
      return Symbol.variable("gap" + node); // the node is a gap, which ends the conversion
    }
    if (index < 0 || index >= results.size()) {
      gaps.add(new UnsupportedOperators.Gap(reader, "input", "reads result %d of %s".formatted(index, results.get(0)
        .name())));
      return results.get(0);
    }
    return results.get(index);
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || !value.isString()) {
      throw new Damaged("a text is missing: field=" + field);
    }
    return value.stringValue();
  }

  private static Map<String, String> attributes(JsonNode node) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (String field : List.of("attr", "param", "attrs")) {
      JsonNode values = node.path(field);
      values.propertyNames().forEach(name -> attributes.put(name, values.get(name).asString()));
    }
    return attributes;
  }
}
