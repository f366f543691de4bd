package dev.cairn.runtime.onnx.decode;

import java.util.List;
import java.util.SortedMap;

/**
 * The facts of a model file that are read without its weights.
 *
 * @param inputs without inputs to which the file itself gives a value
 * @param operators how often each operator is used, after functions are inlined, in bodies too
 * @param weights the model's constant tensors, in initializers and Constant nodes
 */
public record ModelSummary(String name, Origin origin, List<Value> inputs, List<Value> outputs,
  SortedMap<String, Integer> operators, Weights weights) {

  public ModelSummary {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /**
   * The source of a file.
   *
   * @param producer the program that wrote it, with version; may be empty
   * @param irVersion version of the file format
   * @param opsets version of each operator domain; ONNX's own domain is the empty name
   */
  public record Origin(String producer, long irVersion, SortedMap<String, Long> opsets) {}

  /**
   * An input or output with its type in the text form of {@code DeclaredType}; a question mark stands for what is
   * left open.
   */
  public record Value(String name, String type) {}

  /**
   * Constant tensors.
   *
   * @param tensors how many there are
   * @param elements how many numbers they hold together
   * @param bytes what these take in memory, without padding; element types that Cairn does not have count nothing
   * @param externalBytes the part of {@code bytes} that lies in files of its own
   */
  public record Weights(int tensors, long elements, long bytes, long externalBytes) {}
}
