package dev.cairn.runtime.train.checkpoint;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A training at rest. A trainer that restores it continues to the bit, also in another process and with another number
 * of threads; only another kind of device may give other bits.
 *
 * @param tensors parameters, states of the model and states of the optimizer, by name
 * @param metadata counters and settings as text, by name; those of the caller too
 */
public record Checkpoint(Map<String, TensorView> tensors, Map<String, String> metadata) {
  /** The number of iterations that have run. */
  public static final String ITERATION = "iteration";
  /** The seed and the next draw of random numbers, with a comma between. */
  public static final String RANDOM = "random";
  private static final String FORMAT = "format";
  private static final String NAME = "cairn-checkpoint-1";

  /** Keeps the order of both maps. */
  public Checkpoint {
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /** The same checkpoint with one more text, such as the position in the data. */
  public Checkpoint with(String name, String text) {
    Map<String, String> more = new LinkedHashMap<>(metadata);
    more.put(name, text);
    return new Checkpoint(tensors, more);
  }

  /**
   * A text of the metadata.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  public String text(String name) {
    String text = metadata.get(name);
    if (text == null) {
      throw new IllegalArgumentException("the checkpoint has no such entry: name=%s entries=%s".formatted(name, metadata
        .keySet()));
    }
    return text;
  }

  /**
   * A whole number of the metadata.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  public long number(String name) {
    try {
      return Long.parseLong(text(name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("an entry of the checkpoint is no number: name=%s text=%s".formatted(name,
        text(name)), e);
    }
  }

  /** Writes a safetensors file. A file of that name is replaced when the new one is complete. */
  public void write(Path file) throws IOException {
    Map<String, String> marked = new LinkedHashMap<>(metadata);
    marked.put(FORMAT, NAME);
    new SafetensorsFile(tensors, marked).write(file);
  }

  /**
   * Maps a file, which must stay unchanged while the checkpoint is used.
   *
   * @throws IllegalArgumentException when the file is damaged, or is no checkpoint
   */
  public static Checkpoint read(Path file) throws IOException {
    SafetensorsFile read = SafetensorsFile.read(file);
    Map<String, String> metadata = new LinkedHashMap<>(read.metadata());
    String format = metadata.remove(FORMAT);
    if (!NAME.equals(format)) {
      throw new IllegalArgumentException("not a checkpoint of a training: file=%s format=%s wanted=%s; a file of "
        .formatted(file, format, NAME) + "parameters alone is a state dict");
    }
    return new Checkpoint(read.tensors(), metadata);
  }

  /**
   * Checks that a training has the settings of the one that was saved.
   *
   * @throws IllegalArgumentException when one differs; lists all
   */
  public void requireSettings(Map<String, String> settings) {
    List<String> faults = new ArrayList<>();
    settings.forEach((name, value) -> {
      if (!value.equals(metadata.get(name))) {
        faults.add("%s is %s instead of %s".formatted(name, metadata.get(name), value));
      }
    });
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("the checkpoint was made with other settings: %s; use those of the checkpoint"
        .formatted(String.join(", ", faults)));
    }
  }

  /**
   * Checks that a training has exactly these tensors.
   *
   * @param types of the training's parameters and states, by name
   * @throws IllegalArgumentException when one is missing, left over or of another type; lists all
   */
  public void requireTensors(Map<String, TensorType> types) {
    List<String> faults = new ArrayList<>();
    for (String name : new TreeSet<>(types.keySet())) {
      TensorView found = tensors.get(name);
      if (found == null) {
        faults.add("missing: " + name);
      } else if (!found.type().equals(types.get(name))) {
        faults.add("%s is %s instead of %s".formatted(name, found.type(), types.get(name)));
      }
    }
    new TreeSet<>(tensors.keySet()).stream().filter(it -> !types.containsKey(it)).forEach(it -> faults.add(
      "left over: " + it));
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("the checkpoint is of another training: " + String.join(", ", faults));
    }
  }
}
