package dev.cairn.kernels.attribute;

import java.util.List;

/**
 * The attributes of {@code LSTM}, {@code GRU} and {@code RNN} beside the functions' parameters.
 * {@link RecurrentNetwork} and {@link RecurrentActivations} apply them. Defaults are those of ONNX operator set 22.
 *
 * @param direction {@code forward}, by default, {@code reverse} or {@code bidirectional}
 * @param layout 1 where the batch comes before the steps, by default 0
 * @param activations names of functions; empty for the cell's own
 * @param clip attribute {@code clip}: to which range the functions' operands are limited; 0 for none
 * @param isLinearFirst attribute {@code linear_before_reset} of GRU, by default 0: whether it resets the product of its
 *   state, and not the state
 * @param couplesGates attribute {@code input_forget} of LSTM, by default 0: whether its forget gate is 1 minus its
 *   input gate
 */
public record RecurrentForm(String direction, long layout, List<String> activations, float clip,
  boolean isLinearFirst, boolean couplesGates) {
  public static RecurrentForm of(Attributes attributes) {
    return new RecurrentForm(attributes.getText("direction", "forward"), attributes.getLong("layout", 0), attributes
      .getTexts("activations"), attributes.getFloat("clip", 0), attributes.getFlag("linear_before_reset", false),
      attributes.getFlag("input_forget", false));
  }

  /** Whether the only direction, or the first of two, runs from the last step to the first. */
  public boolean isReversed() {
    return direction.equals("reverse");
  }
}
