package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.SlicedTasks;
import dev.cairn.kernels.tensor.Shape;

/**
 * {@code ConvWeightGradient(x, h)} of {@code float32} signals and images, as long dot products ({@link PackedWindows}).
 * An infinite or undefined element may spoil the gradients of more weights than the ones that it is multiplied with.
 */
public final class VectorConvWeightGradient implements Kernel {
  private static final long MOST_BYTES = 1 << 22;
  private static final long SMALL_TERMS = 1 << 16;

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape x = signature.input(0).shape();
    Shape weights = signature.output(0).shape();
    return ImageWindow.fits(SlidingWindow.ofWeights(signature.attributes(), x, weights), x) && packed(signature
      .attributes(), x, weights).sliceBytes() <= MOST_BYTES;
  }

  private static PackedWindows packed(Attributes attributes, Shape x, Shape weights) {
    ImageWindow window = ImageWindow.of(SlidingWindow.ofWeights(attributes, x, weights), x);
    return new PackedWindows(window, ConvolutionGroups.of(attributes, x, weights));
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return SlicedTasks.workspaceBytes(packed(signature.attributes(), signature.input(0).shape(), signature.output(0)
      .shape()).sliceBytes());
  }

  @Override
  public void run(KernelCall call) {
    Shape x = call.input(0).shape();
    Shape weights = call.output(0).shape();
    if (call.input(1).elementCount() == 0 || x.elementCount() == 0) {
      call.output(0).segment().fill((byte) 0);
      return;
    }
    PackedWindows packed = packed(call.attributes(), x, weights);
    ConvolutionGroups groups = ConvolutionGroups.of(call.attributes(), x, weights);
    int channelParts = Math.ceilDiv(groups.inputsPerGroup(), PackedWindows.CHANNELS);
    int filters = filters(groups, channelParts, SlicedTasks.threads(call));
    int filterParts = Math.ceilDiv(groups.outputsPerGroup(), filters);
    boolean isSmall = call.input(1).elementCount() * groups.inputsPerGroup() * packed.window().taps() < SMALL_TERMS;
    long tasks = (long) groups.groups() * filterParts * channelParts;
    SlicedTasks.run(call, tasks, packed.sliceBytes(), isSmall, (task, slice) -> {
      int channel = (int) (task % channelParts) * PackedWindows.CHANNELS;
      int filter = (int) (task / channelParts % filterParts) * filters;
      int group = (int) (task / channelParts / filterParts);
      var part = new WeightGradientTask.Part(group * groups.outputsPerGroup() + filter, Math.min(filters, groups
        .outputsPerGroup() - filter), channel,
        Math.min(PackedWindows.CHANNELS, groups.inputsPerGroup()
          - channel));
      new WeightGradientTask(call, groups, packed, part, slice).run();
    });
  }

  /** Filters of a task: fewer where there would be too few tasks. Each weight's sum is the same in any task. */
  private static int filters(ConvolutionGroups groups, int channelParts, int threads) {
    long tasks = (long) groups.groups() * channelParts * Math.ceilDiv(groups.outputsPerGroup(), PackedWindows.FILTERS);
    return tasks < 2L * threads ? ShiftedDots.ROWS : PackedWindows.FILTERS;
  }
}
