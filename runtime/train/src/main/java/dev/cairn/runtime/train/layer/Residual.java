package dev.cairn.runtime.train.layer;

import dev.cairn.runtime.expression.Expression;
import org.jspecify.annotations.Nullable;

/** {@code body(x) + x}, or {@code body(x) + shortcut(x)}. The layers within are {@code body} and {@code shortcut}. */
public final class Residual extends Layer {
  private final Layer body;
  private final @Nullable Layer shortcut;

  private Residual(Layer body, @Nullable Layer shortcut) {
    this.body = child("body", body);
    this.shortcut = shortcut == null ? null : child("shortcut", shortcut);
  }

  public static Residual of(Layer body) {
    return new Residual(body, null);
  }

  /** @param shortcut gives {@code x} the type of the body's result */
  public static Residual of(Layer body, Layer shortcut) {
    return new Residual(body, shortcut);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    return body.apply(pass, x).add(shortcut == null ? x : shortcut.apply(pass, x));
  }
}
