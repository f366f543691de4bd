package dev.cairn.runtime.train.initializer;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.resource.RandomState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Initializers by patterns of paths.
 *
 * @param patterns in the order in which they are tried
 */
record Mixed(Map<String, Initializer> patterns) implements Initializer {
  Mixed {
    patterns = Collections.unmodifiableMap(new LinkedHashMap<>(patterns));
  }

  @Override
  public void fill(String name, TensorView values, RandomState random) {
    for (Map.Entry<String, Initializer> entry : patterns.entrySet()) {
      if (name.matches("\\Q" + entry.getKey().replace("*", "\\E.*\\Q") + "\\E")) {
        entry.getValue().fill(name, values, random);
        return;
      }
    }
    throw new IllegalArgumentException("no pattern fits a parameter: parameter=%s patterns=%s; add \"*\" as the last"
      .formatted(name, patterns.keySet()));
  }

  @Override
  public boolean choosesByPath() {
    return true;
  }
}
