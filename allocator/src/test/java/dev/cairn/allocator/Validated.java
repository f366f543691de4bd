package dev.cairn.allocator;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Calls {@link Allocator#validate()} after every test on each allocator that the test made, passed or failed. */
public final class Validated implements AfterEachCallback {
  private final List<Allocator> watched = new ArrayList<>();

  /** Registers an allocator; returns it. */
  public <A extends Allocator> A watch(A allocator) {
    watched.add(allocator);
    return allocator;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    watched.forEach(Allocator::validate);
    watched.clear();
  }
}
