package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import java.util.Set;

/**
 * The attributes of {@code MoE} and {@code QMoE} of com.microsoft: layers of which each token takes the few experts
 * that a router prefers.
 *
 * @param chosen attribute {@code k}, by default 1: how many experts a token has
 * @param activation attribute {@code activation_type}, by default {@code relu}: also {@code gelu}, by a hyperbolic
 *   tangent, {@code silu}, {@code identity} or {@code swiglu}
 * @param isNormalized attribute {@code normalize_routing_weights}, by default 0: whether the shares of a token's
 *   experts sum to 1
 * @param isInterleaved attribute {@code swiglu_fusion}: of {@code swiglu}, whether gates and linear parts alternate, 1,
 *   instead of all gates coming first, 2
 * @param alpha attribute {@code activation_alpha} of {@code swiglu}, by default 1
 * @param beta attribute {@code activation_beta} of {@code swiglu}, by default 0
 * @param limit attribute {@code swiglu_limit}, by default infinite
 * @param bits attribute {@code expert_weight_bits} of QMoE, by default 4: of a weight
 * @param block attribute {@code block_size} of QMoE, by default 0: how many weights of a row share a scale; 0 for all
 */
public record ExpertForm(int chosen, String activation, boolean isNormalized, boolean isInterleaved, float alpha,
  float beta, float limit, int bits, int block) {
  private static final String SWIGLU = "swiglu";
  private static final Set<String> ACTIVATIONS = Set.of("relu", "gelu", "silu", "identity", SWIGLU);
  private static final double GELU_SCALE = 0.7978845608028654;
  private static final double GELU_CUBE = 0.044715;

  /** @throws IllegalArgumentException if there is no such layer */
  public static ExpertForm of(Attributes attributes) {
    return attributes.parsed(ExpertForm.class, ExpertForm::parsed);
  }

  private static ExpertForm parsed(Attributes attributes) {
    var form = new ExpertForm(attributes.getInt("k", 1), attributes.getText("activation_type", "relu"), attributes
      .getFlag("normalize_routing_weights", false), attributes.getLong("swiglu_fusion", 0) == 1,
      attributes.getFloat(
        "activation_alpha", 1),
      attributes.getFloat("activation_beta", 0), attributes.getFloat("swiglu_limit", Float.POSITIVE_INFINITY),
      attributes.getInt("expert_weight_bits", 4), attributes.getInt("block_size", 0));
    boolean isFused = attributes.getLong("swiglu_fusion", 0) > 0;
    boolean isKnown = form.bits == 2 || form.bits == 4 || form.bits == 8;
    if (form.chosen < 1 || !ACTIVATIONS.contains(form.activation) || !isKnown || form.block < 0
      || !(form.limit >= 0)) {
      throw new IllegalArgumentException(
        "no such experts: k=%d activation_type=\"%s\" expert_weight_bits=%d block_size=%d swiglu_limit=%s".formatted(
          form.chosen, form.activation, form.bits, form.block, form.limit));
    }
    if (form.isGated() && !isFused) {
      throw new IllegalArgumentException("gates and linear parts must be one product: swiglu_fusion=0");
    }
    if (attributes.getFlag("use_sparse_mixer", false)) {
      throw new IllegalArgumentException("a sparse mixer is not supported: use_sparse_mixer=1");
    }
    if (!attributes.getText("quant_type", "int").equals("int")) {
      throw new IllegalArgumentException("weights of whole numbers are needed: quant_type=\"%s\"".formatted(attributes
        .getText("quant_type", "int")));
    }
    return form;
  }

  /** Whether the first product has a gate and a linear part for each of its results. */
  public boolean isGated() {
    return activation.equals(SWIGLU);
  }

  /** Rows of the first weights for each result of the activation. */
  public int parts() {
    return isGated() ? 2 : 1;
  }

  /** The activation of a result of the first product. */
  public double activated(double x) {
    return switch (activation) {
      case "relu" -> Math.max(0, x);
      case "gelu" -> 0.5 * x * (1 + Math.tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)));
      case "silu" -> x / (1 + Math.exp(-x));
      default -> x;
    };
  }

  /** The activation of a gate and its linear part. */
  public double gated(double gate, double linear) {
    double bounded = Math.min(gate, limit);
    return bounded / (1 + Math.exp(-alpha * bounded)) * (Math.clamp(linear, -limit, limit) + beta);
  }

  /** The type in which weights are packed. */
  public DType dtype() {
    return bits == 2 ? DType.UINT2 : bits == 4 ? DType.UINT4 : DType.UINT8;
  }

  /** The zero point where none is given. */
  public int middle() {
    return 1 << (bits - 1);
  }

  /** How many scales a row of weights has. */
  public int blocks(long columns) {
    return block == 0 ? 1 : Math.toIntExact(Math.ceilDiv(columns, (long) block));
  }

  /** Bytes of the zero points of an expert's weights: packed across rows, or for each row where it has blocks. */
  public long zeroBytes(long rows, long columns) {
    return block == 0 ? dtype().bytes(rows) : rows * dtype().bytes(blocks(columns));
  }
}
