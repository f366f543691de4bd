package dev.cairn.runtime.zoo;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.train.layer.Dense;
import dev.cairn.runtime.train.layer.Dropout;
import dev.cairn.runtime.train.layer.Embedding;
import dev.cairn.runtime.train.layer.Layer;
import dev.cairn.runtime.train.layer.Rnn;
import dev.cairn.runtime.train.layer.Sequential;

/** A language model of two LSTM layers, with the sizes of PyTorch's example. */
final class LstmLm extends LayeredModel {
  private static final int WORDS = 10_000;
  private static final int WIDTH = 200;
  private static final double DROPPED = 0.2;

  @Override
  public String name() {
    return "lstm_lm";
  }

  @Override
  public String description() {
    return "two LSTM layers, 4.7 M parameters, as layers; input int64[NxT] -> logits float32[NxTx10000]";
  }

  @Override
  Layer network() {
    return Sequential.of().add("encoder", Embedding.of(WORDS, WIDTH)).add("drop1", Dropout.of(DROPPED)) //
      .add("rnn", Rnn.lstm(WIDTH).layers(2).batchFirst()).add("drop2", Dropout.of(DROPPED)) //
      .add("decoder", Dense.of(WORDS));
  }

  @Override
  DType inputType() {
    return DType.INT64;
  }

  @Override
  long[] extentsOfOne(ZooOptions options) {
    return new long[] {options.sequenceLength()};
  }
}
