package dev.cairn.benchmarks.models;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxWriter;
import dev.cairn.runtime.zoo.Zoo;
import dev.cairn.runtime.zoo.ZooOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A model that is measured. */
sealed interface Subject {
  /** The reference models that are compared with other engines. */
  List<String> REFERENCES = List.of("mlp", "resnet50", "mobilenet_v2", "bert_base", "gpt2");

  /** No two subjects have one name. */
  String name();

  /** Whether it can be measured here. */
  boolean isThere();

  /** The model's file, made in the folder when there is none yet. */
  Path file(Path folder) throws IOException;

  /** Real architectures with made-up weights, from the tests of the ONNX standard. */
  record Light(String name, Path file) implements Subject {
    @Override
    public boolean isThere() {
      return Files.isRegularFile(file);
    }

    @Override
    public Path file(Path folder) {
      return file;
    }
  }

  /** A model of the zoo: batch 1, 128 tokens. */
  record Reference(String name) implements Subject {
    @Override
    public boolean isThere() {
      return true;
    }

    @Override
    public Path file(Path folder) throws IOException {
      Path file = folder.resolve(name + ".onnx");
      Graph graph = Zoo.build(name, ZooOptions.DEFAULT);
      OnnxWriter.write(graph, DeclaredOutputs.of(graph), file);
      return file;
    }
  }

  /** All of them: the nine light models, then the zoo. */
  static List<Subject> all(Places places) {
    List<Subject> subjects = new ArrayList<>();
    for (String name : List.of("bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet",
      "squeezenet", "vgg19", "zfnet512")) {
      subjects.add(new Light("light_" + name, places.data("onnx-light/light_" + name + ".onnx")));
    }
    REFERENCES.forEach(name -> subjects.add(new Reference(name)));
    return List.copyOf(subjects);
  }
}
