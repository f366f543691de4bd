package dev.cairn.kernels.cuda.loss;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaFunction;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.Grids;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.cuda.selection.CudaGather;
import dev.cairn.kernels.tensor.Shape;
import java.util.List;

/**
 * {@code SoftmaxCrossEntropyLoss}, {@code NegativeLogLikelihoodLoss} and their gradients. For a label that is no class
 * the result is NaN; the portable kernels throw in this case.
 */
public final class CudaClassLoss extends CudaKernel {
  private final boolean softmax;
  private final boolean isGradient;

  /** @param softmax whether the operand has scores instead of logarithms of likelihoods */
  public CudaClassLoss(KernelLibrary library, boolean softmax, boolean isGradient) {
    super(library);
    this.softmax = softmax;
    this.isGradient = isGradient;
  }

  /** The operand with the labels. */
  private int labels() {
    return isGradient && softmax ? 2 : 1;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return isGradient ? Double.BYTES : signature.input(1).shape().elementCount() * Double.BYTES;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    return isGradient ? gradient(call) : loss(call);
  }

  private CudaFunction function(KernelCall call, String name) {
    return library.function("training.cu", call.input(0).dtype(), name);
  }

  private Runnable loss(KernelCall call) {
    ClassLoss loss = ClassLoss.of(call.attributes());
    boolean each = loss.reduction() == ClassLoss.Kind.NONE;
    Shape scores = call.input(0).shape();
    Launch.Builder items = Launch.of(call, function(call, "class_loss")).input(0).input(1).input(2);
    if (each) {
      items.output(0).value(0L);
    } else {
      items.value(0L).workspace(0);
    }
    if (call.outputCount() > 1) {
      items.output(1);
    } else {
      items.value(0L);
    }
    items.value(CudaGather.isWide(call.input(1))).value(softmax ? 1 : 0);
    Launch launch = labels(items, call, loss, scores)
      .value(scores.elementCount(2, scores.rank()))
      .with(Grids.ofLines(call.input(1).elementCount(), scores.extent(1)));
    return each ? launch : Launch.inOrder(List.of(launch, sum(call, loss, scores)));
  }

  private Launch.Builder labels(Launch.Builder launch, KernelCall call, ClassLoss loss, Shape scores) {
    return launch.value(loss.ignores() ? 1 : 0)
      .value(loss.ignored())
      .value(call.input(labels()).elementCount())
      .value(scores.extent(1));
  }

  /** Sums the terms in the workspace, or for a gradient the weights. */
  private Launch sum(KernelCall call, ClassLoss loss, Shape scores) {
    Launch.Builder sum = Launch.of(call, function(call, "class_loss_sum")).workspace(0).input(labels()).input(labels()
      + 1);
    if (isGradient) {
      sum.value(0L).workspace(0);
    } else {
      sum.output(0).value(0L);
    }
    return labels(sum.value(CudaGather.isWide(call.input(labels()))), call, loss, scores)
      .value(loss.reduction() == ClassLoss.Kind.MEAN ? 1 : 0)
      .with(Grids.ofBlocks(1, Grids.BLOCK_THREADS));
  }

  private Runnable gradient(KernelCall call) {
    ClassLoss loss = ClassLoss.of(call.attributes());
    Shape scores = call.output(0).shape();
    Launch.Builder launch = Launch.of(call, function(call, "class_loss_gradient")).input(0);
    if (softmax) {
      launch.input(1);
    } else {
      launch.value(0L);
    }
    launch.input(labels())
      .input(labels() + 1)
      .workspace(0)
      .output(0)
      .value(loss.reduction() == ClassLoss.Kind.NONE ? 1 : 0)
      .value(CudaGather.isWide(call.input(labels())));
    Launch gradient = labels(launch, call, loss, scores)
      .value(scores.elementCount(2, scores.rank()))
      .with(Grids.ofLines(call.input(labels()).elementCount(), scores.extent(1)));
    return Launch.inOrder(List.of(sum(call, loss, scores), gradient));
  }
}
