package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.cairn.runtime.InvalidModel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file that is being read, mapped, and the errors that name it. Bytes come into memory when they are first used,
 * and the mapping goes when the last view of it is gone. A file must stay unchanged while it is mapped.
 */
final class ModelSource {
  private static final long MAX_MESSAGE_BYTES = Integer.MAX_VALUE;

  private final Path file;
  private final MemorySegment bytes;

  private ModelSource(Path file) {
    this.file = file;
    this.bytes = map(file);
  }

  /** @throws InvalidModel when there is no such file, or it cannot be a protobuf message */
  static ModelSource open(Path file) {
    var source = new ModelSource(file);
    long size = source.bytes.byteSize();
    if (size == 0) {
      throw source.invalid("the file is empty");
    }
    if (size > MAX_MESSAGE_BYTES) {
      throw source.invalid(
        "larger than a protobuf message can be (2 GiB); store large weights as external data: bytes=" + size);
    }
    return source;
  }

  Path file() {
    return file;
  }

  /** The whole file. */
  MemorySegment bytes() {
    return bytes;
  }

  /** Parses the file as one message, in which each tensor's raw bytes are a {@link RawPlace}. */
  <M> M parse(Parser<M> parser, MessageKind kind) {
    try {
      return parser.parseFrom(Skeleton.of(this, kind));
    } catch (InvalidProtocolBufferException e) {
      throw new InvalidModel(file, "damaged, or not an ONNX file: reason=" + e.getMessage(), e);
    }
  }

  /** Maps a file that belongs to the model, read-only. */
  MemorySegment map(Path path) {
    if (Files.isDirectory(path)) {
      throw invalid("the path is a folder, not a file: path=" + path);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw invalid("the path is a pipe or device, not a file: path=" + path);
    }
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    } catch (NoSuchFileException e) {
      throw new InvalidModel(file, "no such file: path=" + path, e);
    } catch (IOException e) {
      throw new InvalidModel(file, "cannot be read: path=%s reason=%s".formatted(path, e), e);
    }
  }

  InvalidModel invalid(String message) {
    return new InvalidModel(file, message);
  }
}
