package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.session.ModelFiles;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which model, and the shapes of its inputs. */
@HelpSection.In(HelpSection.MODEL)
public final class ModelOption {
  /** What runs when no model is named. */
  public static final String DEFAULT_MODEL = "resnet50";

  @FileUse(FileUse.Kind.READ)
  @Parameters(index = "0", arity = "0..1", paramLabel = "MODEL",
    description = "An ONNX file, or the name of a reference model (see 'cairn zoo'). Default: "
      + DEFAULT_MODEL + ".")
  private @Nullable String model;

  @HelpSection.Common
  @Option(names = "--shapes", split = ",", paramLabel = "NAME:1x3x224x224", converter = NamedShape.Converter.class,
    description = "Shapes of inputs with open dimensions.")
  private List<NamedShape> shapes = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
    description = "Seed of generated inputs and of a reference model's weights. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Whether a model was given at all. */
  public boolean isNamed() {
    return model != null;
  }

  /** For people: the file, or the reference model's name. */
  public String name() {
    return model == null ? DEFAULT_MODEL : model;
  }

  /** The file, when the model is one and not a reference model. */
  public @Nullable Path file() {
    return isReference() ? null : Path.of(name());
  }

  /** Whether the name is a reference model's; a file of that name comes first. */
  public boolean isReference() {
    return Zoo.names().contains(name()) && !Files.isRegularFile(Path.of(name()));
  }

  public long seed() {
    return seed;
  }

  /**
   * For each input name.
   *
   * @throws IllegalArgumentException when two are given for one input
   */
  public Map<String, Shape> shapes() {
    Map<String, Shape> byName = new TreeMap<>();
    for (NamedShape named : shapes) {
      if (byName.put(named.name(), named.shape()) != null) {
        throw new IllegalArgumentException("two shapes for one input: input=" + named.name());
      }
    }
    return byName;
  }

  /** Reads the file, or builds the reference model: at batch 1, or with an open batch for shapes to decide. */
  public Graph load() {
    if (!isReference()) {
      return read(Path.of(name()), command);
    }
    ZooOptions options = ZooOptions.DEFAULT.withSeed(seed);
    return Zoo.build(name(), shapes.isEmpty() ? options : options.withSymbolicBatch());
  }

  /**
   * Reads a model, and the files that it names, unless the command would write one of them.
   *
   * @param command the one that reads the model; null for none, outside of a command line
   * @throws FileConflict when an output of the command would replace a file of the model
   */
  static Graph read(Path model, @Nullable CommandSpec command) {
    ModelSource source = ModelSource.of(model);
    if (command == null) {
      return ModelFiles.read(source);
    }
    var files = CommandFiles.of(command);
    return ModelFiles.read(source.withExternalData(location -> {
      ModelSource beside = source.externalData(location);
      files.requireInput("the model's " + location, beside.file().orElseThrow());
      return beside;
    }));
  }
}
