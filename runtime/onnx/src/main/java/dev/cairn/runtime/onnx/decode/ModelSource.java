package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
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
 * The file that is being read, and the errors that name it. Files are mapped, not read: bytes come into memory when they are
 * first used, and the mapping goes when the last view of it is gone. A file must stay unchanged while it is mapped.
 */
record ModelSource(Path file) {
  private static final long MAX_MESSAGE_BYTES = Integer.MAX_VALUE;

  /** Parses the whole file as one message, whose fields of bytes are views of the mapped file. */
  <M> M parse(Parser<M> parser) {
    MemorySegment bytes = map(file);
    if (bytes.byteSize() == 0) {
      throw invalid("the file is empty");
    }
    if (bytes.byteSize() > MAX_MESSAGE_BYTES) {
      throw invalid("larger than a protobuf message can be; weights of that size belong into external data: bytes="
        + bytes.byteSize());
    }
    // Only a stream over a ByteString that never changes hands out views instead of copies.
    CodedInputStream stream = UnsafeByteOperations.unsafeWrap(bytes.asByteBuffer()).newCodedInput();
    stream.enableAliasing(true);
    try {
      return parser.parseFrom(stream);
    } catch (InvalidProtocolBufferException e) {
      throw new InvalidModel(file, "damaged, or no ONNX file: reason=" + e.getMessage(), e);
    }
  }

  /** Maps a file that belongs to the model, read-only. */
  MemorySegment map(Path path) {
    if (Files.isDirectory(path)) {
      throw invalid("a folder stands where a file should: path=" + path);
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
