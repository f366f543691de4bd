package dev.cairn.runtime.onnx;

import static dev.cairn.runtime.onnx.Models.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.testing.FaultInTurn;
import dev.cairn.testing.FaultyFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over models from arrays, memory, streams, zip files and the class path, with weights inside and beside. */
class ModelSourceTest {
  private static final SessionOptions OPTIONS = SessionOptions.DEFAULT.withDevice("cpu");

  @TempDir
  private Path folder;

  @Test
  void bytesInAnArrayAreCopied() {
    byte[] bytes = inside().toByteArray();
    ModelSource source = ModelSource.of(bytes);
    bytes[0] = 99;
    assertAdds(source);
    bytes[0] = inside().toByteArray()[0];
    try (var session = Session.open(bytes)) {
      assertThat(session.info().outputs()).containsExactly("y");
    }
  }

  @Test
  void memoryIsReadInPlaceOrCopiedFromTheHeap() {
    byte[] bytes = inside().toByteArray();
    assertAdds(ModelSource.of(MemorySegment.ofArray(bytes)));
    try (Arena arena = Arena.ofShared(); Arena confined = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
      ModelSource source = ModelSource.of(memory);
      assertThat(source.bytes().address()).isEqualTo(memory.address());
      assertAdds(source);
      assertThatThrownBy(() -> ModelSource.of(confined.allocate(8))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("belongs to a thread");
    }
  }

  @Test
  void streamsAreReadToTheirEnd() throws IOException {
    assertAdds(ModelSource.of(new ByteArrayInputStream(inside().toByteArray())));
    byte[] large = new byte[(5 << 20) + 3];
    large[large.length - 1] = 7;
    assertThat(ModelSource.of(new ByteArrayInputStream(large)).bytes().mismatch(MemorySegment.ofArray(large)))
      .isEqualTo(
        -1);
  }

  @Test
  void zipFilesHaveModelsAndTheirWeights() throws IOException {
    try (FileSystem zip = zip(folder.resolve("app.jar"))) {
      assertAdds(ModelSource.of(zip.getPath("models/inside.onnx")));
      assertAdds(ModelSource.of(zip.getPath("models/beside.onnx")));
      assertThatThrownBy(() -> Session.open(zip.getPath("models/none.onnx"))).isInstanceOf(InvalidModel.class)
        .hasMessageContaining("no such model file: file=models/none.onnx");
    }
  }

  /** The session that opens is whole, and of one that does not, nothing is left open. */
  @Test
  void eachCallOfAFileFailsOnce() throws IOException {
    Path model = Files.write(folder.resolve("beside.onnx"), beside().toByteArray());
    Files.write(folder.resolve("w.bin"), weights());
    int faults = FaultInTurn.sweep(fault -> {
      FaultyFiles files = FaultyFiles.of(fault);
      ModelSource source = ModelSource.of(files.path(model));
      fault.survived(() -> {
        try {
          assertAdds(source);
        } catch (RuntimeException e) {
          assertThat(e).isInstanceOf(InvalidModel.class).hasMessageContaining(FaultInTurn.PLANTED);
          throw e;
        } finally {
          assertThat(files.openChannels()).isZero();
        }
      });
    });
    assertThat(faults).as("of two files: attributes, size and reads").isGreaterThan(6);
  }

  @Test
  void theClassPathHasModelsAndTheirWeights() throws IOException {
    Path jar = folder.resolve("app.jar");
    zip(jar).close();
    Path classes = Files.createDirectories(folder.resolve("a folder/models"));
    Files.write(classes.resolve("unpacked.onnx"), beside().toByteArray());
    Files.write(classes.resolve("w.bin"), weights());
    URL[] path = {jar.toUri().toURL(), folder.resolve("a folder/").toUri().toURL()};
    try (var loader = new URLClassLoader(path, null)) {
      assertAdds(ModelSource.ofResource(loader, "models/inside.onnx"));
      assertAdds(ModelSource.ofResource(loader, "models/beside.onnx"));
      assertAdds(ModelSource.ofResource(loader, "models/unpacked.onnx"));
      assertThatThrownBy(() -> open(ModelSource.ofResource(loader, "models/none.onnx"))).isInstanceOf(
        InvalidModel.class).hasMessageContaining("no such resource on the class path: file=models/none.onnx");
      assertThatThrownBy(() -> open(ModelSource.ofResource(loader, "/models/inside.onnx"))).isInstanceOf(
        InvalidModel.class).hasMessageContaining("no slash in front");
    }
  }

  @Test
  void whatWasClosedOrInterruptedIsSaid() throws IOException {
    ModelSource inMemory;
    try (Arena arena = Arena.ofShared()) {
      inMemory = ModelSource.of(arena.allocate(8));
    }
    assertThatThrownBy(() -> open(inMemory)).isInstanceOf(InvalidModel.class).hasMessageContaining("memory is closed");
    ModelSource inZip;
    try (FileSystem zip = zip(folder.resolve("app.jar"))) {
      inZip = ModelSource.of(zip.getPath("models/inside.onnx"));
    }
    assertThatThrownBy(() -> open(inZip)).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "ClosedFileSystemException");
    try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("app.jar"))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> Session.open(zip.getPath("models/inside.onnx"))).isInstanceOf(InvalidModel.class)
        .hasMessageContaining("ClosedByInterruptException");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aResolverNamesExternalData() {
    ModelSource source = ModelSource.of(beside().toByteArray());
    assertAdds(source.withExternalData(location -> {
      assertThat(location).isEqualTo("w.bin");
      return ModelSource.of(weights());
    }));
    assertThatThrownBy(() -> open(source)).isInstanceOf(InvalidModel.class)
      .hasMessageContaining("external data cannot be read: tensor=w location=w.bin")
      .hasMessageContaining("ModelSource.withExternalData");
    assertThatThrownBy(() -> open(source.withExternalData(location -> {
      throw new NoSuchFileException(location);
    }))).isInstanceOf(InvalidModel.class).hasMessageContaining("location=w.bin reason=w.bin");
  }

  @Test
  @SuppressWarnings("NullAway") // as users may write it, without annotations
  void aResolverThatGivesNoSourceIsNamed() {
    Map<String, ModelSource> others = Map.of();
    ModelSource source = ModelSource.of(beside().toByteArray()).withExternalData(others::get);
    assertThatThrownBy(() -> open(source)).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "the resolver gave no source");
  }

  @Test
  void summariesComeFromAnywhere() {
    var summary = OnnxReader.summary(ModelSource.of(beside().toByteArray()));
    assertThat(summary.weights().externalBytes()).isEqualTo(12);
  }

  @Test
  void aResourceOfAnotherNameIsOfAnUnknownFormat() throws IOException {
    Path file = Files.write(folder.resolve("model.txt"), inside().toByteArray());
    assertThatThrownBy(() -> Session.open(file)).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "unknown model format: formats=[ONNX]: file=" + file);
    assertThatThrownBy(() -> Session.open(new byte[0])).isInstanceOf(InvalidModel.class).hasMessageContaining(
      "the file is empty: file=byte[0]");
  }

  @Test
  void outputTypesAreThoseOfTheFile() {
    ModelProto.Builder model = inside().toBuilder();
    var y = model.getGraphBuilder().getOutputBuilder(0).getTypeBuilder().getTensorTypeBuilder();
    y.getShapeBuilder().addDimBuilder().setDimParam("length");
    try (var session = open(ModelSource.of(model.build().toByteArray()))) {
      assertThat(session.info().outputs()).containsExactly("y");
      assertThat(session.info().outputTypes().get("y")).hasToString("float32[length]");
    }
    model.getGraphBuilder().getOutputBuilder(0).clearType();
    try (var session = open(ModelSource.of(model.build().toByteArray()))) {
      assertThat(session.info().outputTypes().get("y")).as("inferred").hasToString("float32[3]");
    }
  }

  private static Session open(ModelSource source) {
    return Session.open(source, OPTIONS);
  }

  private static void assertAdds(ModelSource source) {
    try (var session = open(source); var result = session.run(Map.of("x", Tensor.of(new float[] {10, 20, 30}, 3)))) {
      assertThat(result.get("y").toFloatArray()).as(source.name()).containsExactly(11, 22, 33);
    }
  }

  private FileSystem zip(Path file) throws IOException {
    FileSystem zip = FileSystems.newFileSystem(file, Map.of("create", "true"));
    Files.createDirectory(zip.getPath("models"));
    Files.write(zip.getPath("models/inside.onnx"), inside().toByteArray());
    Files.write(zip.getPath("models/beside.onnx"), beside().toByteArray());
    Files.write(zip.getPath("models/w.bin"), weights());
    return zip;
  }

  private static byte[] weights() {
    return ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putFloat(1).putFloat(2).putFloat(3).array();
  }

  private static ModelProto inside() {
    return model(TensorProto.newBuilder().setRawData(ByteString.copyFrom(weights())));
  }

  private static ModelProto beside() {
    return model(TensorProto.newBuilder().setDataLocation(TensorProto.DataLocation.EXTERNAL).addExternalData(
      StringStringEntryProto.newBuilder().setKey("location").setValue("w.bin")));
  }

  private static ModelProto model(TensorProto.Builder weights) {
    ModelProto.Builder model = Models.model(17, new long[] {3}, node("y = Add(x, w)")).toBuilder();
    model.getGraphBuilder().addInitializer(weights.setName("w").addDims(3).setDataType(1));
    return model.build();
  }
}
