package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Attention} and its gradient that say what becomes of scores. Defaults are those of ONNX
 * operator set 23.
 *
 * @param cap attribute {@code softcap}, by default 0: scores are {@code cap tanh(score / cap)}; 0 for scores as they
 *   are
 * @param result attribute {@code qk_matmul_output_mode}, by default 0: after which step the result of scores has them,
 *   from 0 to 3
 */
public record ScoreForm(float cap, long result) {
  public static ScoreForm of(Attributes attributes) {
    return new ScoreForm(attributes.getFloat("softcap", 0), attributes.getLong("qk_matmul_output_mode", 0));
  }
}
