package dev.cairn.runtime.symbolfile;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Dimension;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.report.WholeFile;
import dev.cairn.runtime.symbol.Symbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A symbol as JSON text: its nodes in the order of its graph. Each is a {@code variable} with its type, a {@code
 * constant}, or an {@code operator} with attributes, notes and {@code inputs}, pairs of a node's index and a result's.
 * Text that is read and written again is equal to the byte. Weights that a symbol has as constants are part of the
 * text; large ones belong in a file of tensors.
 */
public final class SymbolJson {
  private static final String FORMAT = "cairn-symbol";
  private static final int VERSION = 1;
  private static final JsonMapper JSON = JsonMapper.shared();

  private SymbolJson() {}

  /**
   * Writes a symbol; a file of that name is replaced when the new one is complete.
   *
   * @throws IllegalArgumentException when the symbol has control flow, or assigns variables
   */
  public static void write(Symbol symbol, Path file) throws IOException {
    WholeFile.write(file, text(symbol) + "\n");
  }

  /**
   * Reads a symbol.
   *
   * @throws IllegalArgumentException when the text breaks the format's rules
   * @throws dev.cairn.runtime.graph.InvalidGraph when its nodes are no graph
   */
  public static Symbol read(Path file) throws IOException {
    try {
      return parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: file=%s".formatted(e.getMessage(), file), e);
    }
  }

  /** The text of a symbol; throws as {@link #write}. */
  public static String text(Symbol symbol) {
    Graph graph = symbol.graph();
    if (!graph.assigns().isEmpty()) {
      throw new IllegalArgumentException("a symbol that assigns variables cannot be written: assigns=" + graph.assigns()
        .size());
    }
    ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
    Map<Node, Integer> indexes = new HashMap<>();
    for (Node node : graph.nodes()) {
      nodes.add(write(node, indexes));
      indexes.put(node, indexes.size());
    }
    ArrayNode outputs = JsonNodeFactory.instance.arrayNode();
    graph.outputs().forEach(output -> outputs.add(JsonNodeFactory.instance.objectNode().put("name", output.name()).set(
      "entry", entry(output.entry(), indexes))));
    ObjectNode root = JsonNodeFactory.instance.objectNode().put("format", FORMAT).put("version", VERSION);
    root.set("nodes", nodes);
    root.set("outputs", outputs);
    return JSON.writeValueAsString(root);
  }

  private static ObjectNode write(Node node, Map<Node, Integer> indexes) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", node.name());
    switch (node.kind()) {
      case NodeKind.Input(DeclaredType type) -> json.set("variable", write(type, node));
      case NodeKind.Constant(var value) -> json.set("constant", AttributeJson.write(value));
      case NodeKind.Apply apply -> {
        json.put("operator", apply.operator()).put("results", apply.outputs());
        json.set("attributes", AttributeJson.write(apply.attributes()));
      }
      default -> throw new IllegalArgumentException("a node of this kind cannot be written: node=" + node.name());
    }
    if (!node.notes().isEmpty()) {
      ObjectNode notes = JsonNodeFactory.instance.objectNode();
      node.notes().values().forEach(notes::put);
      json.set("notes", notes);
    }
    if (node.kind() instanceof NodeKind.Apply) {
      ArrayNode inputs = JsonNodeFactory.instance.arrayNode();
      node.inputs().forEach(input -> inputs.add(entry(input, indexes)));
      json.set("inputs", inputs);
    }
    return json;
  }

  private static ArrayNode entry(NodeEntry entry, Map<Node, Integer> indexes) {
    ArrayNode pair = JsonNodeFactory.instance.arrayNode();
    return entry.isAbsent() ? pair : pair.add(indexes.get(entry.node())).add(entry.index());
  }

  private static ObjectNode write(DeclaredType type, Node node) {
    if (!type.isTensor()) {
      throw new IllegalArgumentException("a variable that is no tensor cannot be written: node=" + node.name());
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    type.element().ifPresent(dtype -> json.put("dtype", dtype.toString()));
    type.extents().ifPresent(extents -> {
      ArrayNode shape = json.putArray("shape");
      for (Dimension extent : extents) {
        switch (extent) {
          case Dimension.Fixed(long fixed) -> shape.add(fixed);
          case Dimension.Symbol(String name) -> shape.add(name);
        }
      }
    });
    return json;
  }

  /**
   * The symbol of a text.
   *
   * @throws IllegalArgumentException when the text breaks the format's rules
   * @throws dev.cairn.runtime.graph.InvalidGraph when its nodes are no graph
   */
  public static Symbol parse(String text) {
    JsonNode root;
    try {
      root = JSON.readTree(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("a symbol's text is no JSON: " + e.getOriginalMessage(), e);
    }
    if (!root.path("format").asString("").equals(FORMAT) || root.path("version").asInt(0) != VERSION) {
      throw new IllegalArgumentException("not a symbol of version %d: format=%s version=%s".formatted(VERSION, root
        .path("format").asString("none"), root.path("version").asString("none")));
    }
    List<Node> nodes = new ArrayList<>();
    for (JsonNode json : root.path("nodes")) {
      nodes.add(node(json, nodes));
    }
    List<Graph.Output> outputs = new ArrayList<>();
    for (JsonNode json : root.path("outputs")) {
      outputs.add(new Graph.Output(json.path("name").asString(), entry(json.path("entry"), nodes)));
    }
    List<Node> inputs = nodes.stream().filter(node -> node.kind() instanceof NodeKind.Input).toList();
    return Symbol.of(new Graph("symbol", inputs, outputs));
  }

  private static Node node(JsonNode json, List<Node> nodes) {
    String name = json.path("name").asString("");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a node has no name: index=" + nodes.size());
    }
    Node node;
    if (json.has("variable")) {
      node = Node.input(name, declared(json.get("variable")));
    } else if (json.has("constant")) {
      node = Node.constant(name, AttributeJson.readTensor(json.get("constant")));
    } else if (json.has("operator")) {
      List<NodeEntry> inputs = new ArrayList<>();
      json.path("inputs").forEach(input -> inputs.add(entry(input, nodes)));
      node = Node.apply(name, new NodeKind.Apply(json.get("operator").asString(), AttributeJson.readAttributes(json
        .path("attributes")), json.path("results").asInt(1)), inputs);
    } else {
      throw new IllegalArgumentException("a node is neither variable, constant nor operator: node=" + name);
    }
    Map<String, String> notes = new HashMap<>();
    json.path("notes").propertyNames().forEach(note -> notes.put(note, json.get("notes").get(note).asString()));
    return notes.isEmpty() ? node : node.withNotes(Notes.of(notes));
  }

  private static NodeEntry entry(JsonNode json, List<Node> nodes) {
    if (json.isArray() && json.isEmpty()) {
      return Node.absent();
    }
    int node = json.path(0).asInt(-1);
    int index = json.path(1).asInt(-1);
    if (node < 0 || node >= nodes.size() || index < 0 || index >= nodes.get(node).kind().outputs()) {
      throw new IllegalArgumentException("no such result before the node that reads it: entry=" + json);
    }
    return nodes.get(node).entry(index);
  }

  private static DeclaredType declared(JsonNode json) {
    Optional<DType> element = json.has("dtype")
      ? Optional.of(AttributeJson.readType(json.get("dtype").asString()))
      : Optional.empty();
    if (!json.has("shape")) {
      return new DeclaredType(element, Optional.empty());
    }
    List<Dimension> extents = new ArrayList<>();
    json.get("shape").forEach(extent -> extents.add(extent.isString()
      ? new Dimension.Symbol(extent.asString())
      : new Dimension.Fixed(extent.asLong())));
    return new DeclaredType(element, Optional.of(extents));
  }
}
