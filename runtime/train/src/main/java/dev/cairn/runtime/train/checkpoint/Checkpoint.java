package dev.cairn.runtime.train.checkpoint;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.tensorfile.InvalidTensorFile;
import dev.cairn.runtime.tensorfile.SafetensorsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  /** The digest of the model's graph. */
  public static final String GRAPH = "graph";
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoint.class);
  private static final String FORMAT = "format";
  private static final String NAME = "cairn-checkpoint-2";
  /** The format without a checksum. */
  private static final String FIRST_NAME = "cairn-checkpoint-1";
  private static final String CHECKSUM = "checksum";

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
    marked.put(CHECKSUM, checksum());
    new SafetensorsFile(tensors, marked).write(file);
  }

  /**
   * Maps a file, which must stay unchanged while the checkpoint is used. Reads all of it once, to compare its checksum.
   * A file of the first format has no checksum, which the log says.
   *
   * @throws IllegalArgumentException when the file is damaged, or is no checkpoint
   */
  public static Checkpoint read(Path file) throws IOException {
    SafetensorsFile read = SafetensorsFile.read(file);
    Map<String, String> metadata = new LinkedHashMap<>(read.metadata());
    String format = metadata.remove(FORMAT);
    String checksum = metadata.remove(CHECKSUM);
    if (!NAME.equals(format) && !FIRST_NAME.equals(format)) {
      throw new IllegalArgumentException("not a checkpoint of a training: file=%s format=%s wanted=%s; a file of "
        .formatted(file, format, NAME) + "parameters alone is a state dict");
    }
    var checkpoint = new Checkpoint(read.tensors(), metadata);
    if (checksum == null && FIRST_NAME.equals(format)) {
      LOG.warn("a checkpoint of an older version has no checksum, so damage is not found: file={}", file);
    } else if (!checkpoint.checksum().equals(checksum)) {
      throw new IllegalArgumentException("a checkpoint is damaged: its content does not have its checksum: file=%s"
        .formatted(file));
    }
    return checkpoint;
  }

  /** Whether a file is a checkpoint of this iteration, by its header alone. */
  static boolean isOf(long iteration, Path file) throws IOException {
    try {
      Map<String, String> metadata = SafetensorsFile.metadata(file);
      return List.of(NAME, FIRST_NAME).contains(metadata.getOrDefault(FORMAT, "")) && Long.toString(iteration).equals(
        metadata.get(ITERATION));
    } catch (InvalidTensorFile e) {
      return false;
    }
  }

  private String checksum() {
    var digest = new ContentDigest();
    new TreeMap<>(tensors).forEach((name, tensor) -> digest.add(name).add(tensor));
    new TreeMap<>(metadata).forEach((name, text) -> digest.add(name).add(text));
    return digest.hex();
  }

  /**
   * Checks that a training has the graph of the one that was saved. A checkpoint of an older version does not name it.
   *
   * @throws IllegalArgumentException when it is another one
   */
  public void requireGraph(String digest) {
    String saved = metadata.get(GRAPH);
    if (saved != null && !saved.equals(digest)) {
      throw new IllegalArgumentException("the checkpoint is of another network: parameters have the same names and "
        + "types, but operators, attributes, inputs or constants differ: graph=%s wanted=%s".formatted(saved, digest));
    }
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
