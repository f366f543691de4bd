package dev.cairn.runtime.session;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of a model's bytes: a file of any file system, an array, memory, a stream or a class-path resource.
 * Files of the default file system are mapped, and native memory is read in place; both must stay unchanged while the
 * model is in use. All other sources are copied into native memory once.
 *
 * <p>Large weights may lie in further files, which ONNX calls external data. Cairn finds them beside a file or a
 * resource; for other sources, {@link #withExternalData} says where they are.
 *
 * <pre>{@code
 * var source = ModelSource.of(modelBytes).withExternalData(name -> ModelSource.of(Path.of("/weights", name)));
 * try (var session = Session.open(source, SessionOptions.DEFAULT)) { ... }
 * }</pre>
 */
public final class ModelSource {
  private static final Thread ANOTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});
  private static final Resolver NOTHING_BESIDE = location -> {
    throw new NoSuchFileException(location, null,
      "the model's source has no files beside it; name them with ModelSource.withExternalData");
  };

  private final String name;
  private final @Nullable Path file;
  private final boolean hasFileName;
  private final Content content;
  private final Resolver external;

  /** Finds files that belong to a model. */
  @FunctionalInterface
  public interface Resolver {
    /**
     * A file of external data. Called once for each file, when the model is read.
     *
     * @param location as the model names it: a relative path with forward slashes, which stays in the model's folder
     * @throws IOException when there is no such file, or it cannot be read
     */
    ModelSource resolve(String location) throws IOException;
  }

  private interface Content {
    MemorySegment open() throws IOException;
  }

  private ModelSource(String name, @Nullable Path file, boolean hasFileName, Content content, Resolver external) {
    this.name = name;
    this.file = file;
    this.hasFileName = hasFileName;
    this.content = content;
    this.external = external;
  }

  /**
   * A file of any file system, such as one inside a zip file. External data is in the same folder or, where the file is
   * a link, in the folder of its target; links to files elsewhere are refused.
   */
  public static ModelSource of(Path file) {
    return new ModelSource(file.toString(), file, true, () -> read(file), location -> beside(file, location));
  }

  /** A link in the model's folder, which may have come with the model, must not lead to a file elsewhere. */
  private static ModelSource beside(Path model, String location) throws IOException {
    Path file = model.toAbsolutePath().resolveSibling(location);
    if (Files.exists(file) && Files.exists(model)) {
      Path real = file.toRealPath();
      Path folder = model.toRealPath().getParent();
      Path named = model.toAbsolutePath().getParent();
      boolean isInside = (folder != null && real.startsWith(folder)) || (named != null && real.startsWith(named
        .toRealPath()));
      if (!isInside) {
        throw new AccessDeniedException(location, null, "a link leads out of the model's folder");
      }
    }
    return of(file);
  }

  /** A copy of these bytes. */
  public static ModelSource of(byte[] model) {
    return ofBytes("byte[%d]".formatted(model.length), nativeCopy(MemorySegment.ofArray(model)));
  }

  /**
   * Native memory, without a copy: it must stay alive and unchanged while the model is in use. A segment over an array
   * is copied.
   *
   * @param model memory that every thread may read, not from {@code Arena.ofConfined}
   */
  public static ModelSource of(MemorySegment model) {
    if (!model.isAccessibleBy(ANOTHER_THREAD)) {
      throw new IllegalArgumentException("memory belongs to a thread: use Arena.ofShared or ofAuto: memory=" + model);
    }
    String name = "memory of %d bytes".formatted(model.byteSize());
    MemorySegment bytes = model.isNative() ? model.asReadOnly() : nativeCopy(model);
    return new ModelSource(name, null, false, () -> {
      if (!bytes.scope().isAlive()) {
        throw new IOException("the memory is closed");
      }
      return bytes;
    }, NOTHING_BESIDE);
  }

  /** All that remains in a stream, read at once; the caller closes the stream. */
  public static ModelSource of(InputStream model) throws IOException {
    MemorySegment bytes = NativeBytes.readAll(Channels.newChannel(model), 0);
    return ofBytes("stream of %d bytes".formatted(bytes.byteSize()), bytes);
  }

  /**
   * A resource on the class path; external data is beside it.
   *
   * @param loader such as {@code MyApp.class.getClassLoader()}
   * @param resource such as {@code models/model.onnx}
   */
  public static ModelSource ofResource(ClassLoader loader, String resource) {
    String folder = resource.substring(0, resource.lastIndexOf('/') + 1);
    return new ModelSource(resource, null, true, () -> readResource(loader, resource),
      location -> ofResource(loader, folder
        + location));
  }

  private static ModelSource ofBytes(String name, MemorySegment bytes) {
    return new ModelSource(name, null, false, () -> bytes, NOTHING_BESIDE);
  }

  /** This source with another place for its external data. */
  public ModelSource withExternalData(Resolver resolver) {
    return new ModelSource(name, file, hasFileName, content, resolver);
  }

  /** The file's or the resource's name, else a description such as {@code byte[1024]}. */
  public String name() {
    return name;
  }

  /** The file, if the source is one. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** Whether the name is that of a file or a resource, so that its ending says the format. */
  public boolean hasFileName() {
    return hasFileName;
  }

  /**
   * The model's bytes. Do not write to them, even if the segment permits it.
   *
   * @throws InvalidModel when there is no such file or resource, or it cannot be read
   */
  public MemorySegment bytes() {
    try {
      return content.open();
    } catch (NoSuchFileException e) {
      throw new InvalidModel(this, Objects.requireNonNullElse(e.getReason(), "no such model file"), e);
    } catch (IOException | ClosedFileSystemException e) {
      throw new InvalidModel(this, "cannot be read: reason=" + e, e);
    }
  }

  /**
   * A file of external data; see {@link Resolver#resolve}.
   *
   * @throws IOException when there is no such file, or this source does not know where to look
   */
  public ModelSource externalData(String location) throws IOException {
    ModelSource found = external.resolve(location);
    if (found == null) {
      throw new NoSuchFileException(location, null, "the resolver gave no source");
    }
    return found;
  }

  private static MemorySegment read(Path file) throws IOException {
    BasicFileAttributes kind = Files.readAttributes(file, BasicFileAttributes.class);
    if (kind.isDirectory()) {
      throw new InvalidModel(of(file), "the path is a folder, not a file");
    }
    if (!kind.isRegularFile()) {
      throw new InvalidModel(of(file), "the path is a pipe or device, not a file");
    }
    if (!file.getFileSystem().equals(FileSystems.getDefault())) {
      try (var channel = Files.newByteChannel(file)) {
        return NativeBytes.readAll(channel, channel.size());
      }
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    }
  }

  private static MemorySegment readResource(ClassLoader loader, String resource) throws IOException {
    URL url = loader.getResource(resource);
    if (url == null) {
      throw new NoSuchFileException(resource, null, resource.startsWith("/")
        ? "no such resource on the class path: a class loader's names have no slash in front"
        : "no such resource on the class path");
    }
    if (url.getProtocol().equals("file")) {
      return read(Path.of(uri(url)));
    }
    var connection = url.openConnection();
    connection.setUseCaches(false);
    try (InputStream stream = connection.getInputStream()) {
      return NativeBytes.readAll(Channels.newChannel(stream), connection.getContentLengthLong());
    }
  }

  private static URI uri(URL url) throws IOException {
    try {
      return url.toURI();
    } catch (URISyntaxException e) {
      throw new IOException("not a path: url=" + url, e);
    }
  }

  private static MemorySegment nativeCopy(MemorySegment bytes) {
    return Arena.ofAuto().allocate(bytes.byteSize(), Long.BYTES).copyFrom(bytes);
  }

  @Override
  public String toString() {
    return name;
  }
}
