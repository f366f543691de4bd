package dev.cairn.runtime.pass.layout;

import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Lets convolutions compute on images whose channels are the last axis, where the device has such kernels:
 *
 * <pre>
 * c = Conv(x, w)                    x' = Transpose{perm=[0,2,3,1]}(x)
 * r = Relu(c)                       c  = ConvNhwc(x', w)
 * d = Conv(r, v)               →    r  = Relu(c)
 * y = Flatten(d)                    d  = ConvNhwc(r, v)
 *                                   d' = Transpose{perm=[0,3,1,2]}(d)
 *                                   y  = Flatten(d')
 * </pre>
 *
 * Convolutions decide; pooling, normalisation of groups, transposed convolutions, resizing to the nearest pixel,
 * element-wise operators, concatenation along channels and channel shuffles follow when at least half of the bytes that
 * they read lie so already. Inputs and outputs of the graph stay as they are. After
 * ONNX Runtime's layout transformation (the idea; rules are Cairn's own).
 */
public final class ChannelsLastPass implements Pass {
  private final OperatorTable operators;
  private final BiPredicate<String, KernelSignature> kernels;

  /**
   * @param operators all that the graph may have, those on images with channels last included
   * @param kernels whether the device has a kernel for an operator with these types
   */
  public ChannelsLastPass(OperatorTable operators, BiPredicate<String, KernelSignature> kernels) {
    this.operators = operators;
    this.kernels = kernels;
  }

  @Override
  public String name() {
    return "channels-last";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var walk = new ChannelsLastWalk(new ImagePlaces(graph, context.types()), operators, kernels);
    return GraphRewriter.rewrite(graph, walk::rewrite);
  }
}
