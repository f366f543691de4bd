package dev.cairn.runtime.trace.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A model file was read. */
@Name("cairn.ModelLoad")
@Label("Model Load")
@Category({"Cairn", "Runtime"})
@Description("A model file that was read into a graph")
@StackTrace(false)
final class ModelLoadEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Nodes")
  @Description("Of the graph as read; 0 when the file could not be read")
  int nodes;
}
