package dev.cairn.djl;

import ai.djl.BaseModel;
import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An ONNX file. Options are {@code sessionOptions}, a {@link SessionOptions}; {@code threads}; and {@code device}, such
 * as {@code cuda:0}, which wins over the device of the criteria.
 */
final class SessionModel extends BaseModel {
  private static final String ENDING = ".onnx";

  SessionModel(String name, NDManager manager) {
    super(name);
    this.manager = manager;
    this.dataType = DataType.FLOAT32;
    manager.setName("sessionModel");
  }

  @Override
  public void load(Path modelPath, @Nullable String prefix, @Nullable Map<String, ?> options) throws IOException,
    MalformedModelException {
    setModelDir(modelPath);
    open(ModelSource.of(file(prefix)), options);
  }

  @Override
  public void load(InputStream is, @Nullable Map<String, ?> options) throws IOException, MalformedModelException {
    open(ModelSource.of(is), options);
  }

  private void open(ModelSource model, @Nullable Map<String, ?> options) throws MalformedModelException {
    if (block != null) {
      throw new UnsupportedOperationException("an ONNX model has its own block");
    }
    try {
      block = new CairnSymbolBlock(Session.open(model, options(options == null ? Map.of() : options)), manager);
      wasLoaded = true;
    } catch (InvalidModel e) {
      throw new MalformedModelException(e.getMessage(), e);
    }
  }

  private SessionOptions options(Map<String, ?> given) {
    SessionOptions options = whole(given.get("sessionOptions"));
    Object threads = given.get("threads");
    Object name = given.get("device");
    Device device = manager.getDevice();
    options = threads == null ? options : options.withThreads(threads(threads.toString()));
    if (name != null) {
      return options.withDevice(name.toString());
    }
    return device.isGpu() ? options.withDevice("cuda:" + device.getDeviceId()) : options;
  }

  private static SessionOptions whole(@Nullable Object given) {
    if (given == null) {
      return SessionOptions.DEFAULT;
    }
    if (given instanceof SessionOptions options) {
      return options;
    }
    throw new IllegalArgumentException(
      "wanted a dev.cairn.runtime.session.SessionOptions: option=sessionOptions type=%s"
        .formatted(given.getClass().getName()));
  }

  private static int threads(String given) {
    try {
      return Integer.parseInt(given);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("wanted a whole number: option=threads value=" + given, e);
    }
  }

  /**
   * The path itself, if it is a file; otherwise a file in its folder. The file has the prefix as its name or, without a
   * prefix, the name of the model, the name of the folder, or {@code model.onnx}.
   */
  private Path file(@Nullable String prefix) throws FileNotFoundException {
    if (Files.isRegularFile(modelDir)) {
      Path file = modelDir;
      modelDir = Objects.requireNonNull(file.toAbsolutePath().getParent());
      return file;
    }
    List<String> names = new ArrayList<>();
    if (prefix != null) {
      names.add(prefix);
    } else {
      names.addAll(List.of(modelName, String.valueOf(modelDir.getFileName()), "model"));
    }
    for (String name : names) {
      Path file = modelDir.resolve(name.endsWith(ENDING) ? name : name + ENDING);
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    throw new FileNotFoundException("no ONNX file in the folder: folder=%s looked for=%s".formatted(modelDir, names));
  }
}
