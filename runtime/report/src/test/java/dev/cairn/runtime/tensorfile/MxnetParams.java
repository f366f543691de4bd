package dev.cairn.runtime.tensorfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes MXNet's files of arrays, of any age, for tests. */
public final class MxnetParams {
  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final List<String> names = new ArrayList<>();
  private int arrays;

  public MxnetParams() {
    bytes.putLong(0x112).putLong(0).putLong(0);
  }

  /** An array of 32-bit floats as MXNet 1.x writes it. */
  public MxnetParams floats(String name, long[] shape, float... values) {
    header(0xF993FAC9, 0, shape);
    bytes.putInt(0);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return named(name);
  }

  /** The array's magic, its kind of storage if the version has one, its shape, and a device. */
  MxnetParams header(int magic, int storage, long... shape) {
    arrays++;
    bytes.putInt(magic);
    if (magic != 0xF993FAC8) {
      bytes.putInt(storage);
    }
    bytes.putInt(shape.length);
    for (long extent : shape) {
      bytes.putLong(extent);
    }
    bytes.putInt(1).putInt(0);
    return this;
  }

  /** The oldest form: rank and extents of 32 bits without a magic. */
  MxnetParams legacyHeader(int... shape) {
    arrays++;
    bytes.putInt(shape.length);
    for (int extent : shape) {
      bytes.putInt(extent);
    }
    bytes.putInt(1).putInt(0);
    return this;
  }

  /** The code of an element type, and elements. */
  MxnetParams elements(int code, byte... elements) {
    bytes.putInt(code).put(elements);
    return this;
  }

  MxnetParams named(String name) {
    names.add(name);
    return this;
  }

  public byte[] bytes() {
    bytes.putLong(16, arrays);
    ByteBuffer whole = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).putLong(names.size());
    for (String name : names) {
      byte[] letters = name.getBytes(StandardCharsets.UTF_8);
      whole.putLong(letters.length).put(letters);
    }
    byte[] file = new byte[whole.position()];
    whole.get(0, file);
    return file;
  }

  public Path write(Path file) throws IOException {
    return Files.write(file, bytes());
  }
}
