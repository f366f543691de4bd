package dev.cairn.runtime.pass;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import java.util.Optional;

/**
 * What came out of a list of passes.
 *
 * @param types of this very graph, where the last passes needed them; saves inferring them again
 */
public record PassResult(Graph graph, Optional<GraphTypes> types, PassReport report) {}
