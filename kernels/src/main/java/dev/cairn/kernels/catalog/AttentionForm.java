package dev.cairn.kernels.catalog;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttentionWindow;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ScoreForm;

/** The forms in which models call {@code Attention}. */
public final class AttentionForm {
  private static final int PLAIN_INPUTS = 4;

  private AttentionForm() {}

  /** The heads of a call, with those of its caches. */
  public static AttentionHeads heads(KernelSignature signature) {
    AttentionHeads heads = AttentionHeads.of(signature.attributes(), signature.input(0).shape(), signature.input(1)
      .shape(), signature.input(2).shape());
    return signature.has(4) ? heads.withPast(signature.input(4).shape(), signature.input(5).shape()) : heads;
  }

  /**
   * Whether a call has no caches, lengths, cap on scores or results other than the first, no window but that of
   * {@code is_causal}, and a mask for all keys, if any.
   */
  public static boolean isPlain(KernelSignature signature) {
    boolean further = signature.outputs().size() > 1;
    for (int input = PLAIN_INPUTS; input < signature.inputs().size(); input++) {
      further |= signature.has(input);
    }
    Attributes attributes = signature.attributes();
    AttentionWindow window = AttentionWindow.of(attributes);
    if (further || ScoreForm.of(attributes).cap() != 0 || window.left() >= 0 || (window.right() >= 0
      && !AttentionHeads.isCausal(attributes))) {
      return false;
    }
    AttentionHeads heads = heads(signature);
    return !signature.has(3) || heads.maskedKeys(signature.input(3).shape()) == heads.keys();
  }
}
