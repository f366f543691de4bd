package dev.cairn.runtime.zoo;

import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.layer.BatchNorm;
import dev.cairn.runtime.train.layer.Conv;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.LayerPass;
import dev.cairn.runtime.train.layer.Sequential;
import org.jspecify.annotations.Nullable;

/** A residual block of two convolutions 3 by 3. The names of its layers are torchvision's. */
final class BasicBlock extends Layer {
  private final Layer firstConvolution;
  private final Layer firstNorm = child("bn1", BatchNorm.of());
  private final Layer secondConvolution;
  private final Layer secondNorm = child("bn2", BatchNorm.of());
  private final @Nullable Layer downsample;

  /** @param isNarrowing whether the block halves the image, and so needs a convolution beside it */
  BasicBlock(long channels, boolean isNarrowing) {
    firstConvolution = child("conv1", Conv.conv2d(channels, 3).stride(isNarrowing ? 2 : 1).padding(1).withoutBias());
    secondConvolution = child("conv2", Conv.conv2d(channels, 3).padding(1).withoutBias());
    downsample = isNarrowing
      ? child("downsample", Sequential.of(Conv.conv2d(channels, 1).stride(2).withoutBias(), BatchNorm.of()))
      : null;
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    T hidden = firstNorm.apply(pass, firstConvolution.apply(pass, x)).relu();
    T result = secondNorm.apply(pass, secondConvolution.apply(pass, hidden));
    return result.add(downsample == null ? x : downsample.apply(pass, x)).relu();
  }
}
