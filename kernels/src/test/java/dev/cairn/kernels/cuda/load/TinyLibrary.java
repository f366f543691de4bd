package dev.cairn.kernels.cuda.load;

import dev.cairn.kernels.cuda.load.elf.ElfPatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes shared objects for x86-64 with a few functions of constant answers, without any compiler, so that loading can
 * be tried on any machine. Layout: one read-only segment with tables and code, then a page with the dynamic section.
 */
final class TinyLibrary {
  private static final int PAGE = 4096;
  private static final int SYMBOL_BYTES = 24;

  private final String name;
  private final boolean versioned;
  private final Map<String, byte[]> functions = new LinkedHashMap<>();
  private final ByteBuffer file = ByteBuffer.allocate(4 * PAGE).order(ByteOrder.LITTLE_ENDIAN);
  private final StringBuilder strings = new StringBuilder("\0");
  private final List<long[]> dynamic = new ArrayList<>();

  /** @param versioned whether its symbols carry the library's name as their version, as those of NVRTC do */
  TinyLibrary(String name, boolean versioned) {
    this.name = name;
    this.versioned = versioned;
  }

  /** A driver as far as loading asks it. */
  static TinyLibrary driver(int version, int initCode, int devices) {
    return new TinyLibrary("libcuda.so.1", false).returning("cuInit", initCode).writing("cuDriverGetVersion", version)
      .writing("cuDeviceGetCount", devices);
  }

  static TinyLibrary nvrtc(int major) {
    return new TinyLibrary("libnvrtc.so." + major, true).writing("nvrtcVersion", major);
  }

  static TinyLibrary cublas(int major) {
    return new TinyLibrary("libcublas.so." + major, true).returning("cublasGetStatusString", 0);
  }

  /** A function that answers a number. */
  TinyLibrary returning(String function, int answer) {
    functions.put(function, ByteBuffer.allocate(6).order(ByteOrder.LITTLE_ENDIAN).put((byte) 0xb8).putInt(answer)
      .put((byte) 0xc3).array());
    return this;
  }

  /** A function that writes a number to where its first argument points, and answers 0. */
  TinyLibrary writing(String function, int value) {
    functions.put(function, ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).put((byte) 0xc7).put((byte) 0x07)
      .putInt(value).put((byte) 0xb8).putInt(0).put((byte) 0xc3).array());
    return this;
  }

  Path writeInto(Path folder) throws IOException {
    Files.createDirectories(folder);
    return Files.write(folder.resolve(name), bytes());
  }

  byte[] bytes() {
    file.position(64 + 3 * 56);
    int symbols = symbols();
    entry(6, symbols);
    entry(11, SYMBOL_BYTES);
    entry(4, file.position());
    hashTable();
    if (versioned) {
      versions();
    }
    entry(14, text(name));
    entry(5, file.position());
    entry(10, strings.length());
    file.put(strings.toString().getBytes(StandardCharsets.US_ASCII));
    entry(0, 0);
    file.position(3 * PAGE);
    dynamic.forEach(it -> file.putLong(it[0]).putLong(it[1]));
    header();
    return file.array();
  }

  /** Code first, then the table that points to it; answers where the table lies. */
  private int symbols() {
    List<int[]> placed = new ArrayList<>();
    functions.forEach((function, code) -> {
      placed.add(new int[] {text(function), file.position(), code.length});
      file.put(code);
    });
    align();
    int table = file.position();
    file.position(table + SYMBOL_BYTES);
    placed.forEach(it -> file.putInt(it[0]).put((byte) 0x12).put((byte) 0).putShort((short) 1).putLong(it[1]).putLong(
      it[2]));
    return table;
  }

  /** One bucket, in which all symbols hang. */
  private void hashTable() {
    file.putInt(1).putInt(functions.size() + 1).putInt(1).putInt(0);
    for (int i = 1; i <= functions.size(); i++) {
      file.putInt(i < functions.size() ? i + 1 : 0);
    }
    align();
  }

  private void versions() {
    entry(0x6ffffff0L, file.position());
    file.putShort((short) 0);
    functions.forEach((function, code) -> file.putShort((short) 2));
    align();
    entry(0x6ffffffcL, file.position());
    entry(0x6ffffffdL, 2);
    for (int index = 1; index <= 2; index++) {
      file.putShort((short) 1).putShort((short) (index == 1 ? 1 : 0)).putShort((short) index).putShort((short) 1)
        .putInt(ElfPatch.hash(name)).putInt(20).putInt(index == 1 ? 28 : 0).putInt(text(name)).putInt(0);
    }
    align();
  }

  private void header() {
    file.position(0);
    file.putInt(0x464c457f).put((byte) 2).put((byte) 1).put((byte) 1).position(16);
    file.putShort((short) 3).putShort((short) 62).putInt(1).putLong(0).putLong(64).putLong(0).putInt(0)
      .putShort((short) 64).putShort((short) 56).putShort((short) 3).putShort((short) 0).putShort((short) 0)
      .putShort((short) 0);
    segment(1, 5, 0, 3 * PAGE, PAGE);
    segment(1, 6, 3 * PAGE, PAGE, PAGE);
    segment(2, 6, 3 * PAGE, dynamic.size() * 16L, 8);
  }

  private void segment(int type, int flags, long offset, long size, long alignment) {
    file.putInt(type).putInt(flags).putLong(offset).putLong(offset).putLong(offset).putLong(size).putLong(size).putLong(
      alignment);
  }

  private void entry(long tag, long value) {
    dynamic.add(new long[] {tag, value});
  }

  private int text(String value) {
    int at = strings.length();
    strings.append(value).append('\0');
    return at;
  }

  private void align() {
    file.position((file.position() + 7) & -8);
  }
}
