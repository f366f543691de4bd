package dev.cairn.kernels.onednn;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the images of a call lie. oneDNN describes all of them as {@code N,C,H,W} with strides. */
enum Images {
  /** {@code N,C,H,W}, row-major. */
  PLAIN,
  /** {@code N,H,W,C}, row-major. */
  CHANNELS_LAST;

  /** The name of an operator on these images. */
  String operator(String onPlainImages) {
    return this == PLAIN ? onPlainImages : ChannelsLast.operator(onPlainImages);
  }

  /** Whether input 0 and output 0 are images over two axes. */
  boolean areIn(KernelSignature signature) {
    return signature.input(0).shape().rank() == ChannelsLast.RANK && signature.output(0).shape()
      .rank() == ChannelsLast.RANK;
  }

  /** Whether input 0 and output 0 are images that oneDNN takes: over two axes, or plain over one or three. */
  boolean fit(KernelSignature signature) {
    int rank = signature.input(0).shape().rank();
    return areIn(signature) || (this == PLAIN && Math.abs(rank - ChannelsLast.RANK) == 1 && signature.output(0).shape()
      .rank() == rank);
  }

  /** The same call with input 0 and output 0 as {@code N,C,H,W}. */
  KernelSignature plain(KernelSignature signature) {
    if (this == PLAIN) {
      return signature;
    }
    List<Optional<TensorType>> inputs = new ArrayList<>(signature.inputs());
    inputs.set(0, inputs.getFirst().map(Images::plain));
    List<TensorType> outputs = new ArrayList<>(signature.outputs());
    outputs.set(0, plain(outputs.getFirst()));
    return new KernelSignature(inputs, outputs, signature.attributes());
  }

  private static TensorType plain(TensorType type) {
    return type.withShape(ChannelsLast.plain(type.shape()));
  }

  /** The layout of such an image, or of a plain volume. */
  long layout(Layouts layouts, long... nchw) {
    if (this == PLAIN) {
      return layouts.plain(nchw);
    }
    long channels = nchw[1];
    long width = nchw[3] * channels;
    return layouts.strided(nchw, new long[] {nchw[2] * width, 1, width, channels});
  }
}
