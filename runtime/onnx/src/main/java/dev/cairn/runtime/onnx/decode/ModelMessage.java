package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.cairn.runtime.session.InvalidModel;
import dev.cairn.runtime.session.ModelSource;
import java.lang.foreign.MemorySegment;

/** The bytes that are being read, and the errors that name their source. */
final class ModelMessage {
  private static final long MAX_MESSAGE_BYTES = Integer.MAX_VALUE;

  private final ModelSource source;
  private final MemorySegment bytes;

  private ModelMessage(ModelSource source) {
    this.source = source;
    this.bytes = source.bytes();
  }

  /** @throws InvalidModel when there is no such file, or it cannot be a protobuf message */
  static ModelMessage open(ModelSource source) {
    var message = new ModelMessage(source);
    long size = message.bytes.byteSize();
    if (size == 0) {
      throw message.invalid("the file is empty");
    }
    if (size > MAX_MESSAGE_BYTES) {
      throw message.invalid(
        "larger than a protobuf message can be (2 GiB); store large weights as external data: bytes=" + size);
    }
    return message;
  }

  ModelSource source() {
    return source;
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
      throw new InvalidModel(source, "damaged, or not an ONNX file: reason=" + e.getMessage(), e);
    }
  }

  InvalidModel invalid(String message) {
    return new InvalidModel(source, message);
  }
}
