package dev.cairn.runtime.symbol;

import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Notes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Notes that are given to an operator, and what its own variables get of them. */
final class SymbolNotes {
  private static final List<String> FOR_VARIABLES = List.of("lr_mult", "wd_mult", Notes.CONTEXT_GROUP,
    Notes.FORCE_MIRRORING, "mirror_stage");

  private SymbolNotes() {}

  /** The node with more notes; variables that came with it get theirs. */
  static Node noted(Node node, Notes given) {
    Notes own = Notes.NONE;
    Map<String, Notes> ofOperands = new HashMap<>();
    for (var note : given.values().entrySet()) {
      String operand = operand(node, note.getKey());
      if (operand.isEmpty()) {
        own = own.with(note.getKey(), note.getValue());
      } else {
        ofOperands.merge(operand, Notes.NONE.with(note.getKey().substring(operand.length() + 1), note.getValue()),
          Notes::withAll);
      }
    }
    Map<Node, NodeEntry> places = new HashMap<>();
    for (NodeEntry input : node.inputs()) {
      if (isOwn(node, input.node())) {
        String operand = input.node().name().substring(node.name().length() + 1);
        Notes all = input.node().notes().withAll(own).withAll(ofOperands.getOrDefault(operand, Notes.NONE));
        places.put(input.node(), input.node().withNotes(all).entry());
      }
    }
    Node over = places.isEmpty() ? node : GraphRewriter.substitute(List.of(node.entry()), places).getFirst().node();
    return over.withNotes(over.notes().withAll(own));
  }

  /** The operand that a note such as {@code weight_lr_mult} is for; empty for a note of the node itself. */
  private static String operand(Node node, String note) {
    for (NodeEntry input : node.inputs()) {
      if (isOwn(node, input.node())) {
        String operand = input.node().name().substring(node.name().length() + 1);
        if (note.startsWith(operand + "_") && FOR_VARIABLES.contains(Notes.usual(note.substring(operand.length()
          + 1)))) {
          return operand;
        }
      }
    }
    return "";
  }

  private static boolean isOwn(Node node, Node input) {
    return input.kind() instanceof NodeKind.Input && input.name().startsWith(node.name() + "_");
  }
}
