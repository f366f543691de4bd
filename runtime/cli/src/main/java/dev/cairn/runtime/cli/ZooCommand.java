package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.option.Bounded;
import dev.cairn.runtime.cli.option.FileUse;
import dev.cairn.runtime.cli.option.WrittenFile;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn zoo}: lists the reference models, or writes one as ONNX. */
@Command
final class ZooCommand extends CairnCommand {

  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME",
    description = "A reference model. Without it, lists all models.")
  private @Nullable String name;

  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = {"-o", "--output"}, paramLabel = "FILE", description = "Output file. Default: NAME.onnx.")
  private @Nullable Path file;

  @Option(names = "--batch", paramLabel = "N", defaultValue = "1", converter = Bounded.Count.class,
    description = "Batch size; 0 leaves it open. Default: ${DEFAULT-VALUE}.")
  private int batch;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
    description = "Seed of the weights. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  ExitCode execute() throws IOException {
    Map<String, Object> document = Json.document("zoo");
    if (name == null) {
      list(document);
    } else {
      write(name, document);
    }
    return ExitCode.OK;
  }

  private void list(Map<String, Object> document) {
    var table = new Table("name", "what it is");
    Map<String, String> models = new LinkedHashMap<>();
    for (String model : Zoo.names()) {
      table.row(model, Zoo.description(model));
      models.put(model, Zoo.description(model));
    }
    document.put("models", models);
    print(table.text(""), document);
  }

  private void write(String model, Map<String, Object> document) throws IOException {
    ZooOptions seeded = ZooOptions.DEFAULT.withSeed(seed);
    ZooOptions options = batch == 0 ? seeded.withSymbolicBatch() : seeded.withBatch(batch);
    Path target = file == null ? Path.of(model + ".onnx") : file;
    if (Zoo.names().contains(model)) {
      WrittenFile.require(target);
    }
    Graph graph = Zoo.build(model, options);
    OnnxWriter.write(graph, DeclaredOutputs.of(graph), target);
    document.put("model", model);
    document.put("file", target.toString());
    document.put("bytes", Files.size(target));
    document.put("parameters", Zoo.parameterCount(graph));
    print("%s: %s, %,d parameters, %s".formatted(model, target, Zoo.parameterCount(
      graph), StatsText.bytes(Files.size(target))), document);
  }
}
