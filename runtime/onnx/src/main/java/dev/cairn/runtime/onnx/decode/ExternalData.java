package dev.cairn.runtime.onnx.decode;

import dev.cairn.runtime.onnx.proto.StringStringEntryProto;
import dev.cairn.runtime.onnx.proto.TensorProto;
import dev.cairn.runtime.session.InvalidModel;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Tensors whose bytes lie in files beside the model, where its {@link dev.cairn.runtime.session.ModelSource} finds
 * them. Each file is opened once. A location may not lead out of the model's folder, as written or behind a link.
 */
final class ExternalData {
  private final ModelMessage source;
  private final Map<String, MemorySegment> files = new HashMap<>();

  ExternalData(ModelMessage source) {
    this.source = source;
  }

  /** The bytes of a tensor that takes {@code wantedBytes}. */
  MemorySegment bytes(TensorProto tensor, long wantedBytes) {
    Map<String, String> facts = new HashMap<>();
    for (StringStringEntryProto entry : tensor.getExternalDataList()) {
      facts.put(entry.getKey(), entry.getValue());
    }
    MemorySegment file = files.computeIfAbsent(path(tensor, facts.getOrDefault("location", "")), location -> open(
      tensor, location));
    long offset = number(tensor, "offset", facts.getOrDefault("offset", "0"));
    long length = number(tensor, "length", facts.getOrDefault("length", Long.toString(wantedBytes)));
    if (length != wantedBytes) {
      throw source.invalid("external data and the tensor's type differ: tensor=%s wantedBytes=%d length=%d"
        .formatted(tensor.getName(), wantedBytes, length));
    }
    if (offset > file.byteSize() || length > file.byteSize() - offset) {
      throw source.invalid("external data is too short: tensor=%s offset=%d length=%d fileBytes=%d"
        .formatted(tensor.getName(), offset, length, file.byteSize()));
    }
    return file.asSlice(offset, length);
  }

  private String path(TensorProto tensor, String location) {
    try {
      Path relative = Path.of(location).normalize();
      boolean escapes = relative.isAbsolute() || relative.startsWith("..");
      if (location.isEmpty() || relative.toString().isEmpty() || escapes) {
        throw source.invalid("external data must be in the model's folder: tensor=%s location=%s"
          .formatted(tensor.getName(), location));
      }
      return relative.toString().replace(File.separatorChar, '/');
    } catch (InvalidPathException e) {
      throw source.invalid("invalid path: tensor=%s location=%s".formatted(tensor.getName(), e.getInput()));
    }
  }

  private MemorySegment open(TensorProto tensor, String location) {
    try {
      return source.source().externalData(location).bytes();
    } catch (IOException | InvalidModel e) {
      throw new InvalidModel(source.source(), "external data cannot be read: tensor=%s location=%s reason=%s"
        .formatted(tensor.getName(), location, e.getMessage()), e);
    }
  }

  private long number(TensorProto tensor, String key, String written) {
    try {
      long number = Long.parseLong(written);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, as for a negative number.
    }
    throw source.invalid("external data: not a number of bytes: tensor=%s %s=%s".formatted(tensor.getName(), key,
      written));
  }
}
