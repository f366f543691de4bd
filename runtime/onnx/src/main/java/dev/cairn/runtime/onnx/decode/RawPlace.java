package dev.cairn.runtime.onnx.decode;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;

/**
 * Where a tensor's raw bytes lie in the model's file. In a {@link Skeleton} it stands in their stead.
 *
 * @param offset from the file's first byte
 */
record RawPlace(long offset, long bytes) {
  static final int ENCODED_BYTES = 2 * Long.BYTES;

  byte[] encoded() {
    return ByteBuffer.allocate(ENCODED_BYTES).putLong(offset).putLong(bytes).array();
  }

  static RawPlace of(ByteString encoded) {
    ByteBuffer buffer = encoded.asReadOnlyByteBuffer();
    return new RawPlace(buffer.getLong(), buffer.getLong());
  }
}
