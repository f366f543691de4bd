package dev.cairn.runtime.train.checkpoint;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts and tensors, each with its length before it. */
public final class ContentDigest {
  private static final int PART_BYTES = 1 << 16;

  private final MessageDigest digest;

  public ContentDigest() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  public ContentDigest add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    length(bytes.length);
    digest.update(bytes);
    return this;
  }

  /** Adds type and elements. */
  public ContentDigest add(TensorView tensor) {
    add(tensor.type().toString());
    MemorySegment data = tensor.segment();
    long size = data.byteSize();
    length(size);
    byte[] part = new byte[(int) Math.min(PART_BYTES, size)];
    for (long at = 0; at < size; at += PART_BYTES) {
      int count = (int) Math.min(PART_BYTES, size - at);
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, at, part, 0, count);
      digest.update(part, 0, count);
    }
    return this;
  }

  private void length(long bytes) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, bytes));
  }

  /** The digest as text; nothing can be added afterwards. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
