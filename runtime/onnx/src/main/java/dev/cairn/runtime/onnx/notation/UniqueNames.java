package dev.cairn.runtime.onnx.notation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Names in use. A name that is taken already is given a number: {@code conv}, {@code conv_1}, {@code conv_2}. */
public final class UniqueNames {
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Integer> lastNumber = new HashMap<>();

  /** Takes the wanted name, or the first numbered form of it that is free. */
  public String take(String wanted) {
    String name = wanted;
    while (!taken.add(name)) {
      name = wanted + "_" + lastNumber.merge(wanted, 1, Integer::sum);
    }
    return name;
  }
}
